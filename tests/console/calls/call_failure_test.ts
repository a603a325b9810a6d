import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fixOf } from "../../../lib/console/calls/call_fix.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import type { User } from "../../../lib/store/users/mod.ts";
import { verdictOf } from "../../../lib/verdict/mod.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const failed = { outcome: "upstream_error", costNanoUsd: 0n, model: "gpt-5-mini" } as const;
const attempt = {
  upstreamId: "acme",
  upstreamModel: "acme-1",
  upstreamFormat: "messages",
  outcome: "upstream_error",
  status: 429,
  errorCode: "rate_limit_exceeded",
  errorType: "tokens",
  errorMessage: "Rate limit reached: limit 200000, used 198214.",
} as const;
const rateLimited = {
  ...failed,
  status: 429,
  errorCode: "rate_limit_exceeded",
  attempts: [
    { ...attempt, startedAfterMs: 10, durationMs: 84 },
    { ...attempt, startedAfterMs: 2_100, durationMs: 81 },
  ],
  durationMs: 2_200,
  firstByteMs: undefined,
} as const;

testConsole("a failed call: verdict, marks, the whole message and the fix", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1), ...rateLimited });
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get(`/console/log/${callIdAt(60_000, 1).id}`)).html);
  assertStringIncludes(
    text,
    "acme rate-limited us (429, tokens) on all 2 attempts. Not charged " +
      "Safe to retry: no output was produced You can fix it " +
      "Rate limit reached: limit 200000, used 198214. Message from acme, HTTP 429 tokens",
  );
  assertStringIncludes(text, "Add upstream Retry in playground");
  assertStringIncludes(text, "2.20 s in all, 2.01 s of it back-off");
});

Deno.test("a failed call: the fix names the upstream that lists the model", () => {
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
  const verdict = verdictOf(call);
  assert(verdict);
  const fix = fixOf(call, verdict, { serving: [], others: ["b", "c"], lister: "c" });
  assertEquals([fix?.name, fix?.upstream], ["addFallback", "c"]);
  assertEquals(fix?.href, "/console/admin/upstreams/c/import");
});

testConsole("a call that failed over says so, with names for administrators", async (console) => {
  const first = { ...attempt, startedAfterMs: 10, durationMs: 84 };
  const attempts = [first, { ...first, upstreamId: "backup", outcome: "completed" as const }];
  const { id } = callIdAt(60_000, 1);
  const call = { ...callIdAt(60_000, 1), upstreamId: "backup", attempts, accountId: member.id };
  await addCall(console.store, call);
  const textFor = async (user: User) =>
    textOf((await (await console.signedIn(user)).get(`/console/log/${id}`)).html);
  assertStringIncludes(await textFor(administrator), "backup answered after acme failed.");
  const theirs = await textFor(member);
  assertStringIncludes(theirs, "Another upstream answered after the first one failed.");
  assert(!theirs.includes("backup"));
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
