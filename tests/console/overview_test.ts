import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { tickStep } from "../../lib/console/spend_chart.ts";
import { readSpendQuery } from "../../lib/console/spending.ts";
import { addCall, addKey, administrator, member, testConsole, textOf } from "./console.ts";
import { callIdAt } from "./call_id.ts";

const dayMs = 86_400_000;
const usd = 1_000_000_000n;

for (const [most, step] of [[0n, 1n], [4n, 1n], [5n, 2n], [17n, 5n], [21n, 10n]] as const) {
  Deno.test(`chart: bars up to ${most} are marked every ${step}`, () => {
    assertEquals(tickStep(most), step);
  });
}

Deno.test("spend query: what is not known is as if it were not there", () => {
  assertEquals(readSpendQuery(new URLSearchParams("days=9999&by=__proto__")), {
    days: 14,
    measure: "cost",
  });
  assertEquals(readSpendQuery(new URLSearchParams("days=7&by=tokens")).measure, "tokens");
});

testConsole(
  "overview: spend of the days by model and by key, and by nobody else's",
  async (console) => {
    const { store } = console;
    await addKey(store, { id: "key_1", name: "prod-api" });
    const call = { keyId: "key_1", upstreamId: "acme" };
    const models = ["one", "two", "three", "four", "five", "six"];
    for (const [at, model] of models.entries()) {
      const costNanoUsd = BigInt(10 - at) * usd;
      await addCall(store, { ...call, ...callIdAt(dayMs, at), model, costNanoUsd });
    }
    await addCall(store, { ...call, ...callIdAt(20 * dayMs, 7), costNanoUsd: 90n * usd });
    await addCall(store, { ...call, ...callIdAt(60_000, 8), status: 504, outcome: "timeout" });
    await addCall(store, {
      ...call,
      ...callIdAt(60_000, 9),
      accountId: member.id,
      model: "members",
      costNanoUsd: 70n * usd,
    });
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get("/console");
    const text = textOf(html);
    for (
      const part of [
        "Spend, 14 days $45.00 −50 % on the 14 days before",
        "Requests 7 85.7 % ok · 1 failed",
        "one $0.00 $10.00",
        "four $0.00 $7.00",
        "Other models $0.00 $11.00",
        "Total $0.00 $45.00",
        "prod-api",
      ]
    ) assertStringIncludes(text, part);
    assert(!text.includes("members"));
    assertStringIncludes(html, 'aria-valuetext="Nov 21, 2026: $0.00"');
    const requests = await browser.get("/console?by=requests&days=30");
    assertStringIncludes(requests.html, "Requests by day and model over 30 days, 8 in all");
    const other = textOf((await (await console.signedIn(member)).get("/console")).html);
    assertStringIncludes(other, "members $70.00 $70.00");
    assert(!other.includes("prod-api"));
  },
);

testConsole("overview: what is left, and that old calls are further back", async (console) => {
  await addCall(console.store, callIdAt(20 * dayMs, 1));
  const browser = await console.signedIn(member);
  await addCall(console.store, { ...callIdAt(20 * dayMs, 2), accountId: member.id });
  const text = textOf((await browser.get("/console")).html);
  assertStringIncludes(text, "Balance $0.00");
  assertStringIncludes(text, "No calls in these 14 days");
  assertStringIncludes(text, "Widen to 30 days");
});
