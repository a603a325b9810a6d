import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { addFormerSecretUse } from "../../../lib/store/api_keys/counted_calls.ts";
import { getApiKey, listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { spend } from "../../alerts/alerting.ts";
import { callIdAt } from "../calls/call_id.ts";
import { type TestBrowser, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const usd = 1_000_000_000n;
const monthly = { budgets: [{ nanoUsd: 10n * usd, period: "month" }] } as const;

testConsole("keys: those near a budget's end and those at it are found", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_near", name: "near", ...monthly });
  await addKey(store, { id: "key_over", name: "over", ...monthly });
  await addKey(store, { id: "key_fine", name: "fine", ...monthly });
  await spend(store, "budget:key:key_near:2026-11", 850);
  await spend(store, "budget:key:key_over:2026-11", 1_000);
  const browser = await console.signedIn(administrator);
  assertEquals(await namesAt(browser, "?status=near"), ["near"]);
  assertEquals(await namesAt(browser, "?status=exhausted"), ["over"]);
  assertEquals((await namesAt(browser, "?status=active")).toSorted(), ["fine", "near"]);
  const { html } = await browser.get("/console/token");
  assertStringIncludes(textOf(html), "$8.50 of $10.00 monthly");
  assertStringIncludes(html, 'title="resets in 10 days"');
  assertStringIncludes(textOf(html), "All 3 Budget exhausted 1 Near limit 1");
});

testConsole("keys: by group, by spend, and a page at a time", async (console) => {
  const { store } = console;
  for (let n = 0; n < 55; n++) {
    await addKey(store, { id: `key_${n}`, name: `k${n}`, createdAtMs: nowMs - n * 1_000 });
  }
  await addKey(store, { id: "key_c", name: "coder", groupId: "coding", createdAtMs: nowMs - 99e5 });
  await addCall(store, { ...callIdAt(60_000, 1), keyId: "key_c", costNanoUsd: 5n * usd });
  await addCall(store, { ...callIdAt(60_000, 2), keyId: "key_7", costNanoUsd: 2n * usd });
  const browser = await console.signedIn(administrator);
  assertEquals(await namesAt(browser, "?group=coding"), ["coder"]);
  assertEquals((await namesAt(browser, "?sort=-spend")).slice(0, 2), ["coder", "k7"]);
  assertEquals((await namesAt(browser, "")).length, 50);
  assertEquals(await namesAt(browser, "?page=2"), ["k50", "k51", "k52", "k53", "k54", "coder"]);
  const { html } = await browser.get("/console/token");
  assertStringIncludes(html, 'href="/console/token?page=2"');
});

testConsole("keys: several are disabled, enabled and, once asked, deleted", async (console) => {
  const { store } = console;
  const own = { accountId: member.id };
  await addKey(store, { ...own, id: "key_1", name: "one" });
  await addKey(store, { ...own, id: "key_2", name: "two" });
  await addKey(store, { ...own, id: "key_of_file", name: "file", origin: "config" });
  await addKey(store, { id: "key_other", name: "other", accountId: administrator.id });
  const browser = await console.signedIn(member);
  const bulk = (action: string, more = "") =>
    postText(browser, `action=${action}&key=key_1&key=key_2&key=key_of_file&key=key_other${more}`);
  assertEquals((await bulk("disable")).status, 303);
  assertStringIncludes(textOf((await browser.get("/console/token")).html), "2 keys disabled.");
  assertEquals((await getApiKey(store, "key_1"))?.enabled, false);
  assertEquals((await getApiKey(store, "key_other"))?.enabled, true);
  assertEquals((await getApiKey(store, "key_of_file"))?.enabled, true);
  await bulk("enable");
  assertEquals((await getApiKey(store, "key_2"))?.enabled, true);
  const asked = await bulk("delete");
  assertEquals(asked.status, 200);
  assertStringIncludes(textOf(asked.html), "Delete 2 keys?");
  assert(await getApiKey(store, "key_1"));
  await bulk("delete", "&sure=yes");
  const left = await listApiKeys(store);
  assertEquals(left.map(({ id }) => id).toSorted(), ["key_of_file", "key_other"]);
  const { entries } = await listAuditEntries(store, { limit: 10 });
  assertEquals(entries.length, 6);
});

testConsole("keys: nothing chosen is said and nothing is changed", async (console) => {
  const browser = await console.signedIn(administrator);
  await postText(browser, "action=delete&sure=yes");
  const text = textOf((await browser.get("/console/token")).html);
  assertStringIncludes(text, "Select keys in the list first.");
});

testConsole("keys: a disabled key is enabled again beside the notice", async (console) => {
  await addKey(console.store, { id: "key_1", name: "one" });
  const browser = await console.signedIn(administrator);
  await browser.post("/console/token/key_1/enabled", { enabled: "false" });
  const { html } = await browser.get("/console/token");
  const undo = /<form class="undo"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  assertStringIncludes(undo, 'action="/console/token/key_1/enabled"');
  assertStringIncludes(undo, 'value="true"');
});

testConsole("keys: each user's choice of columns is kept", async (console) => {
  await addKey(console.store, { id: "key_1", name: "one" });
  const browser = await console.signedIn(administrator);
  const heads = async () =>
    [...(await browser.get("/console/token")).html.matchAll(/<th scope="col"[\s\S]*?<\/th>/g)]
      .map(([head]) => textOf(`<body>${head}`).trim());
  assert((await heads()).includes("Group"));
  const form = new URLSearchParams([["column", "calls"], ["column", "nonsense"]]);
  await post(browser, "/console/token/columns", form);
  const chosen = await heads();
  assert(chosen.includes("Calls, 30 days") && !chosen.includes("Group"), chosen.join());
});

testConsole("keys: a row tells who still uses the old secret, until it ends", async (console) => {
  const expiresAtMs = nowMs + 3_600_000;
  const previous = { digest: "old", prefix: "sk-old", lastFour: "0000", expiresAtMs };
  await addKey(console.store, { id: "key_1", name: "one", previous });
  const browser = await console.signedIn(administrator);
  const text = async () => textOf((await browser.get("/console/token")).html);
  assertStringIncludes(await text(), "Old secret: no calls since");
  const use = { count: 212, atMs: nowMs - 60_000, ip: "203.0.113.7" };
  await addFormerSecretUse(console.store, "old", use);
  const said = "Old secret: 212 calls since, last 1 minute ago from 203.0.113.7";
  assertStringIncludes(await text(), said);
  console.clock.nowMs = expiresAtMs;
  assert(!(await text()).includes("Old secret"));
});

testConsole("key: its page tells its days, failures, callers and changes", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", name: "one", groupId: "gone" });
  const call = { upstreamId: "acme", costNanoUsd: 2n * usd, ip: "203.0.113.7" };
  await addCall(store, { ...callIdAt(60_000, 1), ...call, userAgent: "claude-cli/2.0.1" });
  await addCall(store, {
    ...callIdAt(90_000, 2),
    ...call,
    status: 429,
    outcome: "refused",
    errorCode: "rate_limit_exceeded",
  });
  const browser = await console.signedIn(administrator);
  await browser.post("/console/token/key_1/enabled", { enabled: "false" });
  await browser.post("/console/token/key_1/enabled", { enabled: "true" });
  const { html } = await browser.get("/console/token/key_1");
  const text = textOf(html);
  for (
    const part of [
      "Group gone was deleted: calls with this key fail.",
      "429 Rate limited",
      "203.0.113.7 2 1 minute ago",
      "Claude Code 2.0.1 1",
      "by owner@example.com",
      "Sat, Nov 21: $4.00",
    ]
  ) assertStringIncludes(text, part);
  const asked = textOf((await browser.get("/console/token/key_1/delete")).html);
  assertStringIncludes(asked, "2 calls in the last hour.");
});

async function namesAt(browser: TestBrowser, query: string): Promise<string[]> {
  const { html } = await browser.get(`/console/token${query}`);
  return [...html.matchAll(/<th scope="row"[^>]*><span><a [^>]*>([^<]*)</g)].map(([, name]) =>
    name
  );
}

function post(browser: TestBrowser, path: string, form: URLSearchParams) {
  return browser.post(path, form as unknown as Record<string, string>); // keeps repeated fields
}

function postText(browser: TestBrowser, fields: string) {
  return post(browser, "/console/token/bulk", new URLSearchParams(fields));
}
