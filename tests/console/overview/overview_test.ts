import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { readSpendQuery } from "../../../lib/console/overview/spend_query.ts";
import { createUpstream } from "../../../lib/store/catalog/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey } from "../records.ts";
import { sample } from "../upstreams/upstream_scene.ts";

const dayMs = 86_400_000;
const usd = 1_000_000_000n;

Deno.test("spend query: what is not known is as if it were not there", () => {
  // Only the user of the account is read.
  const account = { user: member } as Parameters<typeof readSpendQuery>[1]["account"];
  const services = {} as Parameters<typeof readSpendQuery>[1]["services"];
  const reader = { account, hasOthers: true, services, nowMs, timeZone: "UTC" };
  const read = (text: string) => readSpendQuery(new URLSearchParams(text), reader);
  const { span, ...asked } = read("period=9999d&by=__proto__&measure=x&who=everyone&at=1e99");
  assertEquals(asked, { who: "mine", measure: "cost", dimension: "model" });
  assertEquals(span.name, "14d");
  assertEquals(read("by=user").dimension, "model", "a member has no users to compare");
  assertEquals(read("period=7d&measure=tokens").measure, "tokens");
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
    const { html } = await browser.get("/console?who=mine");
    const text = textOf(html);
    for (
      const part of [
        "Spend, 14 days $45.00 −50% vs previous 14 days",
        "Calls 7 85.7% successful, 1 failed",
        "Fri, Nov 20 one $10.00 two $9.00 three $8.00 four $7.00 five $6.00 six $5.00 Total $45.00",
        "prod-api",
      ]
    ) assertStringIncludes(text, part);
    assert(!text.includes("members $70"));
    assertStringIncludes(html, 'aria-valuetext="Fri, Nov 20: $45.00"');
    assertStringIncludes(html, 'aria-label="Sat, Nov 21: $0.00"');
    const requests = await browser.get("/console?measure=requests&period=30d&who=mine");
    assertStringIncludes(requests.html, 'aria-valuetext="Fri, Nov 20: 6"');
    const other = await (await console.signedIn(member)).get("/console");
    assertStringIncludes(other.html, 'aria-label="Sat, Nov 21: $70.00"');
    assert(!textOf(other.html).includes("prod-api"));
  },
);

testConsole("overview: what is left, and that old calls are further back", async (console) => {
  await addCall(console.store, callIdAt(20 * dayMs, 1));
  const browser = await console.signedIn(member);
  await addCall(console.store, { ...callIdAt(20 * dayMs, 2), accountId: member.id });
  const text = textOf((await browser.get("/console")).html);
  assertStringIncludes(text, "Balance $0.00");
  assertStringIncludes(text, "No calls in this period: 14 days.");
  assertStringIncludes(text, "Last call: Nov 1. Show 30 days");
  assertStringIncludes(text, "Show 30 days");
});

testConsole("overview: a day is told by the hour, in the reader's zone", async (console) => {
  const { store } = console;
  const call = { keyId: "key_1", upstreamId: "acme", costNanoUsd: 2n * usd };
  await addCall(store, { ...call, ...callIdAt(3 * 3_600_000, 1) });
  await addCall(store, { ...call, ...callIdAt(25 * 3_600_000, 2) });
  const browser = await console.signedIn(administrator);
  browser.cookies.set("tessera_zone", "Asia/Shanghai");
  const { html } = await browser.get("/console?period=24h");
  const text = textOf(html);
  assertStringIncludes(text, "Spend, 24 hours $2.00 +0% vs previous 24 hours");
  assert(!text.includes("Days are UTC."));
  assertStringIncludes(html, 'aria-valuetext="Nov 21, 15:00: $0.00"');
  assertStringIncludes(html, 'aria-label="Nov 21, 13:00: $2.00"');
});

testConsole("overview: keys that spent most tell how they stand", async (console) => {
  const { store } = console;
  const budgets = [{ period: "day", nanoUsd: 10n * usd }] as const;
  await addKey(store, { id: "key_1", name: "prod", budgets, expiresAtMs: nowMs + 3 * dayMs });
  await store.kv.set(["allowance_spent", "key:key_1:2026-11-21"], new Deno.KvU64(9n * usd));
  for (const [n, keyId] of ["key_1", "key_gone"].entries()) {
    const costNanoUsd = BigInt(5 - n) * usd;
    await addCall(store, { ...callIdAt(60_000, n), keyId, upstreamId: "acme", costNanoUsd });
  }
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get("/console?period=7d&who=mine")).html);
  assertMatch(text, /prod sk-\S+ (Near limit|Expires soon|Expiring)/);
  assertMatch(text, /1 \$5\.00 \$0\.00 of \$10\.00 daily/);
  assertStringIncludes(text, "Deleted key");
});

testConsole(
  "overview: what needs attention leads to where it shows, and is absent else",
  async (console) => {
    const { store, directory } = console;
    const browser = await console.signedIn(administrator);
    await addCall(store, { ...callIdAt(2 * dayMs, 9), upstreamId: "acme", model: "gpt-5" });
    assert(!(await browser.get("/console")).html.includes('id="attention"'));
    await addKey(store, { id: "key_1", name: "soon", expiresAtMs: nowMs + 3 * dayMs });
    await createUpstream(store, sample({ enabled: false }));
    await directory.refresh();
    const failed = {
      status: 502,
      outcome: "upstream_error",
      errorCode: "upstream_failed",
    } as const;
    for (const n of [1, 2]) await addCall(store, { ...callIdAt(60_000 * n, n), ...failed });
    await addCall(store, { ...callIdAt(dayMs, 3), upstreamId: "acme", model: "house" });
    const { html } = await browser.get("/console");
    const text = textOf(html);
    for (
      const part of [
        "2 calls with key ci of owner@example.com failed in the last hour:",
        "Upstream vendor is unavailable: Disabled",
        "soon expires in 3 days.",
        "house has no price, so nobody was charged: 1 call in 30 days.",
      ]
    ) assertStringIncludes(text, part);
    for (
      const href of [
        "/console/log?key=key_1&amp;status=502&amp;error=upstream_failed&amp;from=2026-11-21T07%3A40%3A15.000Z&amp;who=everyone",
        "/console/admin/upstreams/vendor",
        "/console/token/key_1/edit",
        "/console/pricing/model?name=house&amp;set=price",
      ]
    ) assertStringIncludes(html, `href="${href}"`);
    const other = await (await console.signedIn(member)).get("/console");
    assert(!other.html.includes("vendor") && !other.html.includes("house"));
  },
);

testConsole("overview: calls without a cost have no scale of cents", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1), costNanoUsd: 0n });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console");
  assertStringIncludes(textOf(html), "The calls of this period cost nothing: 14 days.");
  assert(!html.includes("</text>"));
  const requests = await browser.get("/console?measure=requests");
  assertMatch(requests.html, />0<\/text>.*>1<\/text>.*>2<\/text>/);
});

testConsole(
  "overview: administrators see that the Deno is faulty, and the command to run",
  async (console) => {
    const services = adminServices();
    assert(services);
    const command = "npx -y deno@9.9.9 task start";
    provideAdmin({ ...services, runtime: { fault: { deno: "9.9.8", command } } });
    const text = async (user: typeof member) =>
      textOf((await (await console.signedIn(user)).get("/console")).html);
    assertStringIncludes(
      await text(administrator),
      `Deno 9.9.8 does not detect client disconnects, so abandoned calls keep running and are charged. Restart with: ${command}`,
    );
    assert(!(await text(member)).includes("9.9.8"));
  },
);
