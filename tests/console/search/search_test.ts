import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { rank } from "../../../lib/console/search/rank.ts";
import type { HitGroup } from "../../../lib/console/search/search.ts";
import { createUpstream } from "../../../lib/store/catalog/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { type TestBrowser, testConsole } from "../console.ts";
import { administrator, member, user } from "../people.ts";
import { addCall, addKey, upstreamRecord } from "../records.ts";

async function hitsOf(browser: TestBrowser, text: string): Promise<HitGroup[]> {
  const query = new URLSearchParams({ q: text });
  const { html } = await browser.get(`/console/search?${query}`, { accept: "application/json" });
  return JSON.parse(html);
}

const withoutDocs = async (browser: TestBrowser, text: string) =>
  (await hitsOf(browser, text)).filter(({ kind }) => kind !== "docs");
const names = (groups: readonly HitGroup[]) =>
  Object.fromEntries(groups.map(({ kind, hits }) => [kind, hits.map(({ name }) => name)]));

testConsole("search: an administrator finds every kind, the best hit first", async (console) => {
  const { store, directory } = console;
  await createUpstream(store, upstreamRecord({ id: "night-shift", models: [{ id: "nightly-9" }] }));
  await directory.refresh();
  const key = await addKey(store, { name: "ci-nightly", accountId: member.id });
  await createUser(store, user({ id: "usr_n", email: "night@example.com" }));
  const browser = await console.signedIn(administrator);
  const found = await withoutDocs(browser, "night");
  assertEquals(names(found), {
    models: ["nightly-9"],
    users: ["night@example.com"],
    upstreams: ["night-shift"],
    keys: ["ci-nightly"],
  });
  assertEquals((await hitsOf(browser, "ci-nightly"))[0].hits[0].href, `/console/token/${key.id}`);
});

testConsole("search: members find their own keys and calls only", async (console) => {
  const { store } = console;
  await addKey(store, { name: "secret-plan" });
  await addKey(store, { name: "secret-own", accountId: member.id });
  const others = await addCall(store, callIdAt(60_000, 1));
  const own = await addCall(store, { ...callIdAt(60_000, 2), accountId: member.id });
  const browser = await console.signedIn(member);
  assertEquals(names(await hitsOf(browser, "secret")).keys, ["secret-own"]);
  assertEquals(await withoutDocs(browser, "owner@"), []);
  assertEquals(await hitsOf(browser, others.id), []);
  assertEquals((await hitsOf(browser, own.id))[0].hits[0].href, `/console/log/${own.id}`);
  assertEquals(names(await withoutDocs(browser, "upstreams")), {});
  assertEquals(names(await hitsOf(browser, "create")).actions, ["Create API key"]);
});

testConsole("search: a key is found by its last four characters, never beyond", async (console) => {
  const key = await addKey(console.store, { name: "ci", lastFour: "9zQx" });
  const browser = await console.signedIn(administrator);
  const [{ kind, hits }] = await hitsOf(browser, "9zQx");
  assertEquals([kind, hits[0].href], ["keys", `/console/token/${key.id}`]);
  assertEquals(await hitsOf(browser, key.digest), []);
});

testConsole(
  "search: without a script it is a page; a call's ID opens the call",
  async (console) => {
    await addKey(console.store, { name: "ci-nightly" });
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get("/console/search?q=nightly");
    assertStringIncludes(html, '<form class="find" action="/console/search"');
    assertStringIncludes(html, '<b translate="no">ci-nightly</b>');
    const { id } = callIdAt(60_000, 1);
    const call = await browser.get(`/console/search?q=${id}`);
    assertEquals([call.status, call.headers.get("location")], [303, `/console/log/${id}`]);
    const none = await browser.get("/console/search?q=zzzzzz");
    assertStringIncludes(none.html, "Nothing found");
    assertEquals((await console.browser().get("/console/search?q=ci")).status, 303);
  },
);

Deno.test("search: 20,000 rows are ranked within 150 ms", () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `a key with a long name, number ${at}`);
  const startedAt = performance.now();
  const { rows: found } = rank(rows, "number 19999", {
    most: 5,
    searched: (name) => ({ name, more: ["sk-tessera…aaaa", "key_0123456789", "a@example.com"] }),
  });
  const tookMs = performance.now() - startedAt;
  assertEquals(found, ["a key with a long name, number 19999"]);
  assert(tookMs < 150, `${tookMs} ms`);
});

testConsole("search: the page of results keeps its text in both fields", async ({ signedIn }) => {
  const browser = await signedIn(administrator);
  const { html } = await browser.get("/console/search?q=abc");
  assertEquals(html.match(/<input[^>]*name="q"[^>]* value="abc"/g)?.length, 2);
});

testConsole("search: actions, settings and documents by what they do", async ({ signedIn }) => {
  const browser = await signedIn(administrator);
  const raise = names(await hitsOf(browser, "raise budget")).actions;
  assert(raise.includes("Change a project's budget or limits"), raise.join());
  const cache = await hitsOf(browser, "cache");
  assertStringIncludes(names(cache).docs.join(), "Cache prompts");
  const [zone] = (await hitsOf(browser, "time zone")).filter(({ kind }) => kind === "settings");
  assertEquals(zone.hits[0], { name: "Time zone", href: "/console/admin/settings#defaults" });
  const own = await hitsOf(await signedIn(member), "raise budget");
  assertEquals(names(own).actions, ["Change a key's budget or limits"]);
  assertEquals(names(await hitsOf(await signedIn(member), "time zone")).settings, undefined);
});

testConsole("search: forgives one wrong letter of a word", async (console) => {
  await addKey(console.store, { name: "ci-nightly" });
  const browser = await console.signedIn(administrator);
  for (const text of ["nigthly", "nihtly", "nigghtly", "nixhtly"]) {
    assertEquals(names(await hitsOf(browser, text)).keys, ["ci-nightly"], text);
  }
  assertEquals(names(await hitsOf(browser, "nixxtly")).keys, undefined);
  assertEquals(names(await hitsOf(browser, "webhoks")).pages, ["Webhooks"]);
});
