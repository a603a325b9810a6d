import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fixOf } from "../../../lib/console/calls/call_fix.ts";
import { otherUpstreams } from "../../../lib/console/calls/call_page.ts";
import { namesNumber } from "../../../lib/console/calls/call_words.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import {
  createUpstream,
  getUpstream,
  keepUpstreamList,
  listSource,
} from "../../../lib/store/catalog/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import type { User } from "../../../lib/store/users/mod.ts";
import { verdictOf } from "../../../lib/verdict/mod.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall } from "../records.ts";
import { sample } from "../upstreams/upstream_scene.ts";
import { callIdAt } from "./call_id.ts";
import { addFallbackScene, attempt, failed, rateLimited } from "./fallback_scene.ts";

testConsole("a failed call: verdict, marks, the whole message and the fix", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1), ...rateLimited });
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get(`/console/log/${callIdAt(60_000, 1).id}`)).html);
  assertStringIncludes(
    text,
    "acme rate-limited us (429, tokens) on both attempts. Not charged " +
      "Safe to retry: no output was produced You can fix it " +
      "Rate limit reached: limit 200000, used 198214. Message from acme, HTTP 429 tokens",
  );
  assertStringIncludes(text, "Add upstream Retry in playground");
  assertStringIncludes(text, "2.20 s in all, 2.01 s of it back-off");
});

const call = {
  ...callIdAt(60_000, 1),
  ...rateLimited,
  accountId: "owner",
  keyId: "key_1",
  keyName: "ci",
  groupId: "default",
  format: "chat-completions",
  operation: "generate",
  stream: false,
} as const satisfies RequestLogRow;

Deno.test("a failed call: the fix names the upstream that lists the model", () => {
  const verdict = verdictOf(call);
  assert(verdict);
  const fix = fixOf(call, verdict, { serving: [], others: ["b", "c"], lister: "c" });
  assertEquals([fix?.name, fix?.upstream], ["addFallback", "c"]);
  assertEquals([fix?.href, fix?.model], ["/console/admin/upstreams/c/import", undefined]);
  const others = { serving: [], others: ["b", "c"], lister: "c", isPriced: true };
  const click = fixOf(call, verdict, others);
  assertEquals([click?.href, click?.model], ["/console/admin/upstreams/c/fallback", "gpt-5-mini"]);
});

for (const owner of ["key", "session", "child"]) {
  Deno.test(`a failed call: the fix of a ${owner}'s budget is the page of the key`, () => {
    const refusedBy = { name: `${owner} session budget`, kind: "money", remaining: 0n } as const;
    const verdict = verdictOf({ ...call, refusedBy });
    assert(verdict);
    const fix = fixOf(call, verdict, undefined);
    assertEquals([fix?.name, fix?.href], ["editKey", "/console/token/key_1/edit"]);
  });
}

testConsole("a failed call: one click adds the fallback, another undoes it", async (console) => {
  const { store, directory } = console;
  const path = await addFallbackScene(console);
  const browser = await console.signedIn(administrator);
  const models = async () => (await getUpstream(store, "backup"))?.models.map(({ id }) => id);
  const fallback = "/console/admin/upstreams/backup/fallback";
  const before = (await browser.get(path)).html;
  assertMatch(before, new RegExp(`<form method="post" action="${fallback}">`));
  const form = { model: "gpt-5-mini", back: path };
  assertRedirect(await browser.post(fallback, form), path);
  assertEquals(await models(), ["gpt-5", "gpt-5-mini"]);
  const after = (await browser.get(path)).html;
  assertStringIncludes(textOf(after), "backup now serves gpt-5-mini. New calls fall back to it.");
  assert(!textOf(after).includes("Add backup as fallback"));
  assertStringIncludes(after, 'name="undo" value="true"');
  assertRedirect(await browser.post(fallback, { ...form, undo: "true" }), path);
  assertEquals(await models(), ["gpt-5"]);
  assertEquals(directory.upstreams().length, 2);
  const { entries } = await listAuditEntries(store, { limit: 9 });
  assertEquals(entries.map(({ action, targetId }) => [action, targetId]), [
    ["changed", "backup"],
    ["changed", "backup"],
  ]);
});

testConsole("a failed call: a fallback is no member's, and leads nowhere else", async (console) => {
  await addFallbackScene(console);
  const fallback = "/console/admin/upstreams/backup/fallback";
  const form = { model: "gpt-5-mini", back: "https://example.com/" };
  assertEquals((await (await console.signedIn(member)).post(fallback, form)).status, 403);
  const browser = await console.signedIn(administrator);
  assertRedirect(await browser.post(fallback, form), "/console/admin/upstreams/backup/models");
  assertRedirect(await browser.post(fallback, form), "/console/admin/upstreams/backup/models");
});

testConsole(
  "a failed call: no fallback that only the configuration can change",
  async (console) => {
    const { store, directory } = console;
    for (const [id, origin] of [["b", "config"], ["c", "console"]] as const) {
      const upstream = sample({ id, origin, models: [{ id: "other" }] });
      await createUpstream(store, upstream);
      await keepUpstreamList(store, {
        upstreamId: id,
        source: listSource(upstream),
        models: [{ id: call.model }],
        isComplete: true,
      });
      await directory.refresh();
      const expected = origin === "console" ? id : undefined;
      assertEquals(otherUpstreams(call, directory, Date.now()).lister, expected, id);
    }
  },
);

for (
  const [text, expected] of [
    ["acme rate-limited us (429, tokens).", true],
    ["The limit is 429.", true],
    ["The limit is 4290 tokens.", false],
    ["The limit is 1,429 tokens.", false],
    ["It used $0.429.", false],
    ["The call failed.", false],
  ] as const
) {
  Deno.test(`namesNumber: 429 in "${text}"`, () => {
    assertEquals(namesNumber(text, 429), expected);
  });
}

testConsole("a call that failed over says so, with names for administrators", async (console) => {
  const first = { ...attempt, startedAfterMs: 10, durationMs: 84 };
  const attempts = [first, { ...first, upstreamId: "backup", outcome: "completed" as const }];
  const { id } = callIdAt(60_000, 1);
  const call = { upstreamId: "backup", attempts, accountId: member.id };
  await addCall(console.store, { ...callIdAt(60_000, 1), ...call, costNanoUsd: 5_000_000n });
  const textFor = async (user: User) =>
    textOf((await (await console.signedIn(user)).get(`/console/log/${id}`)).html);
  const ours = "backup answered after acme failed. Charged once, for the answer only.";
  assertStringIncludes(await textFor(administrator), ours);
  const theirs = await textFor(member);
  assertStringIncludes(theirs, "Another upstream answered after the first one failed.");
  assert(!theirs.includes("backup"));
  const free = callIdAt(60_000, 2);
  await addCall(console.store, { ...call, ...free });
  const browser = await console.signedIn(administrator);
  assert(!(await browser.get(`/console/log/${free.id}`)).html.includes("Charged once"));
});

testConsole("a failed call: a member asks the administrator, with a link", async (console) => {
  const { id } = callIdAt(60_000, 2);
  const unpriced = { ...failed, status: 403, outcome: "refused", errorCode: "model_unpriced" };
  const call = { ...callIdAt(60_000, 2), ...unpriced, outcome: "refused" } as const;
  await addCall(console.store, { ...call, accountId: member.id });
  const path = `/console/log/${id}`;
  const theirs = (await (await console.signedIn(member)).get(path)).html;
  assertStringIncludes(textOf(theirs), "gpt-5-mini has no price. Not charged");
  assertStringIncludes(textOf(theirs), "Your administrator can fix it");
  assertStringIncludes(textOf(theirs), "Ask administrator");
  assert(!textOf(theirs).includes("Set price"));
  const ours = (await (await console.signedIn(administrator)).get(path)).html;
  assertMatch(
    ours,
    /class="button primary" href="[^"]*pricing[^"]*gpt-5-mini[^"]*"[^>]*>Set price/,
  );
});

testConsole("a failed call: the same failures of the hour, and no others", async (console) => {
  const { store } = console;
  for (const at of [1, 2, 3]) {
    const keyId = at === 3 ? "key_2" : "key_1";
    await addCall(store, { ...callIdAt(60_000 * at, at), ...rateLimited, keyId });
  }
  await addCall(store, { ...callIdAt(60_000, 4), ...rateLimited, accountId: member.id });
  await addCall(store, { ...callIdAt(60_000, 5), ...rateLimited, model: "other" });
  await addCall(store, { ...callIdAt(60_000, 6), ...rateLimited, errorCode: "upstream_timeout" });
  await addCall(store, { ...callIdAt(3 * 3_600_000, 7), ...rateLimited });
  const path = `/console/log/${callIdAt(60_000, 1).id}`;
  const text = textOf((await (await console.signedIn(administrator)).get(path)).html);
  assertStringIncludes(text, "4 calls, 2 keys.");
  const alone = `/console/log/${callIdAt(60_000, 4).id}`;
  const theirs = textOf((await (await console.signedIn(member)).get(alone)).html);
  assertEquals(theirs.includes("Same failure"), false);
});

testConsole("a failed call that cost nothing is not charged in the log", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1), ...rateLimited });
  const browser = await console.signedIn(administrator);
  assertStringIncludes(textOf((await browser.get("/console/log")).html), "2.20 s not charged");
});
