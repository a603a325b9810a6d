import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { keys } from "../../../lib/store/keys.ts";
import type { CallSession } from "../../../lib/store/log/mod.ts";
import { addSpent } from "../../../lib/store/money/allowance.ts";
import { childBudgetId } from "../../../lib/store/money/budget.ts";
import { callIdAt } from "../calls/call_id.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const usd = 1_000_000_000n;

testConsole("sessions: the list, and one with its chart, agents and calls", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", name: "prod-api" });
  const call = (n: number, cost: bigint, session?: CallSession) =>
    addCall(store, { ...callIdAt(60_000, n), costNanoUsd: cost, ...(session && { session }) });
  await call(1, 5n * usd, { id: "build-7" });
  await call(2, 3n * usd, { id: "build-7", agent: "docs", requestClass: "compaction" });
  await call(3, 9n * usd);
  const browser = await console.signedIn(administrator);
  const { html: key } = await browser.get("/console/token/key_1");
  assertStringIncludes(key, "/console/token/key_1/sessions");
  const { html } = await browser.get("/console/token/key_1/sessions");
  assertStringIncludes(html, "/console/token/key_1/sessions?session=build-7");
  assertStringIncludes(textOf(html), "$8.00");
  const { html: session } = await browser.get("/console/token/key_1/sessions?session=build-7");
  for (
    const part of ["docs · compaction", "$3.00", "Main agent", "$5.00", "$8.00", "1 sub-agent"]
  ) {
    assertStringIncludes(textOf(session), part);
  }
  for (const [tag, calls] of [["build-7", 2], ["build-7//", 1], ["build-7/docs/compaction", 1]]) {
    const log = `tag=${encodeURIComponent(tag)}`;
    assertStringIncludes(session, log);
    const { html } = await browser.get(`/console/log?key=key_1&${log}`);
    assertEquals(new Set(html.match(/req_\w{26}/g)).size, calls, log);
  }
  const unknown = await browser.get("/console/token/key_1/sessions?session=x");
  assertEquals(unknown.status, 404);
  const other = await console.signedIn(member);
  const { status } = await other.get("/console/token/key_1/sessions?session=build-7");
  assertEquals(status, 404);
});

testConsole(
  "sessions: the saving of caches, why calls missed them, and what helps",
  async (console) => {
    const { store } = console;
    await addKey(store, { id: "key_1", name: "prod-api" });
    const at = (n: number) => callIdAt(60_000, n);
    const costLines = [{
      bucket: "cacheReadTokens",
      quantity: 1,
      nanoUsd: 1n,
      savedNanoUsd: -2n * usd,
    }];
    const session = { id: "build-7" };
    await addCall(store, { ...at(1), session, costLines });
    const { id } = await addCall(store, { ...at(2), session, cacheMiss: "tool 7" });
    const browser = await console.signedIn(administrator);
    const address = "/console/token/key_1/sessions?session=build-7";
    const { html } = await browser.get(address);
    for (
      const part of ["Cache saving", "−$2.00", "1 miss", "Tool 7 changed", "Keep the beginning"]
    ) {
      assertStringIncludes(textOf(html), part);
    }
    assertStringIncludes(html, `href="/console/log/${id}"`);
    const chinese = textOf((await browser.get(address, { "accept-language": "zh-CN" })).html);
    assertStringIncludes(chinese, "第 7 个工具发生变化");
    const call = textOf((await browser.get(`/console/log/${id}`)).html);
    assertStringIncludes(call, "Tool 7 changed");
    const key = textOf((await browser.get("/console/token/key_1")).html);
    for (const part of ["Cache saving", "−$2.00", "1 miss"]) assertStringIncludes(key, part);
  },
);

testConsole(
  "sessions: the child keys with budgets, with their spending and end",
  async (console) => {
    const { store } = console;
    await addKey(store, { id: "key_1", name: "prod-api" });
    const spend = async (name: string, endsAtMs: number, keyId = "key_1") => {
      const id = childBudgetId({ accountId: administrator.id, keyId, endsAtMs, name });
      const allowance = { value: null, versionstamp: null, key: keys.allowance(id) };
      const operation = store.kv.atomic().check(allowance).set(allowance.key, { allotted: 1n });
      addSpent(operation, id, 7n * usd);
      await operation.commit();
    };
    await spend("drafter", nowMs - 60_000);
    await spend("reviewer", nowMs + 60_000);
    await spend("forgotten", nowMs - 90_000_000);
    await spend("another", nowMs + 60_000, "key_2");
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get("/console/token/key_1/sessions");
    const text = textOf(html);
    for (const part of ["Child keys", "reviewer", "$7.00"]) assertStringIncludes(text, part);
    assert(text.indexOf("reviewer") < text.indexOf("drafter"), text); // the live ones come first
    for (const other of ["forgotten", "another"]) assert(!text.includes(other), text);
  },
);

testConsole("sessions: a key without any says so", async (console) => {
  await addKey(console.store, { id: "key_1", name: "prod-api" });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console/token/key_1/sessions");
  assertStringIncludes(textOf(html), "No client has named a session");
});
