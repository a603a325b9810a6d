import { assertEquals, assertRejects } from "@std/assert";
import { type ErrorCode, GatewayError } from "../../lib/canonical/mod.ts";
import {
  type ChainFacts,
  firstMember,
  type MemberWays,
  unmetCondition,
} from "../../lib/routing/mod.ts";
import type { ChainMember } from "../../lib/store/catalog/mod.ts";
import type { Candidate } from "../../lib/upstreams/upstream.ts";
import { failure, healthOf, TestClock, upstream, waysTo } from "./upstreams.ts";

/** The failures of each member, attempt by attempt; after the last one, it answers. */
type Script = Readonly<Record<string, readonly (GatewayError | ErrorCode)[]>>;

const members = (...list: readonly ChainMember[]): MemberWays[] =>
  list.map((member) => ({ member, candidates: waysTo(upstream(member.model)) }));

function scene(script: Script, tooLong: readonly string[] = []) {
  const clock = new TestClock();
  const health = healthOf(clock);
  const asked: string[] = [];
  const skipped: string[] = [];
  const left = Object.fromEntries(Object.entries(script).map(([id, list]) => [id, [...list]]));
  const attempt = ({ upstream: { id } }: Candidate, isReplaceable: boolean): Promise<string> => {
    asked.push(isReplaceable ? `${id}?` : id);
    const next = left[id]?.shift();
    if (next === undefined) return Promise.resolve(id);
    return Promise.reject(typeof next === "string" ? failure(next) : next);
  };
  const bounds = {
    caller: new AbortController().signal,
    deadlineMs: clock.nowMs + 300_000,
    attemptsMax: 4,
    waitMsMax: 5_000,
    breakerCallsMax: 2,
    health,
    clock,
    exceedsWindow: ({ member }: MemberWays) => tooLong.includes(member.model),
    onSkip: ({ model }: ChainMember, reason: string) => void skipped.push(`${model} ${reason}`),
  };
  const run = async (...list: readonly ChainMember[]) =>
    (await firstMember(members(...list), attempt, bounds)).answer;
  return { asked, skipped, health, clock, run };
}

const [a, b, c] = ["a", "b", "c"].map((model) => ({ model }));

Deno.test("firstMember tries the next member after each cause, and none after the answer", async () => {
  for (
    const code of [
      "upstream_error",
      "upstream_unreachable",
      "rate_limit_exceeded",
      "upstream_timeout",
      "context_length_exceeded",
      "content_blocked",
    ] as const
  ) {
    const { run, asked } = scene({ a: [code] });
    assertEquals(await run(a, b, c), "b", code);
    assertEquals(asked, ["a?", "b?"], code);
  }
});

Deno.test("firstMember passes over the members that do not take the cause", async () => {
  const { run, asked, skipped } = scene({ a: ["upstream_timeout"] });
  assertEquals(await run(a, { ...b, causes: ["outage", "window"] }, c), "c");
  assertEquals([asked, skipped], [["a?", "c"], ["b cause"]]);
});

Deno.test("firstMember throws a failure that no member takes, and a fault of the caller at once", async () => {
  const refused = scene({ a: ["content_blocked"] });
  const error = await assertRejects(
    () => refused.run(a, { ...b, causes: ["outage"] }),
    GatewayError,
  );
  assertEquals([error.code, refused.asked], ["content_blocked", ["a"]]);
  const invalid = scene({ a: ["invalid_request"] });
  assertEquals(
    (await assertRejects(() => invalid.run(a, b), GatewayError)).code,
    "invalid_request",
  );
  assertEquals(invalid.asked, ["a?"]);
});

Deno.test("firstMember throws the most informative failure if all fail", async () => {
  const limited = failure("rate_limit_exceeded", { retryAfterSeconds: 7 });
  const { run } = scene({ a: [limited], b: ["upstream_error"] });
  const error = await assertRejects(() => run(a, b), GatewayError);
  assertEquals([error.code, error.retryAfterSeconds], ["rate_limit_exceeded", 7]);
});

Deno.test("firstMember passes over a window that is too small, unless no other fits", async () => {
  const one = scene({}, ["a"]);
  assertEquals(await one.run(a, { ...b, causes: ["outage"] }, c), "c");
  assertEquals([one.asked, one.skipped], [["c"], ["a window", "b cause"]]);
  const none = scene({}, ["a", "b", "c"]);
  assertEquals(await none.run(a, b, c), "a");
});

Deno.test("firstMember does not wait for a paused member, but tries it again behind the last", async () => {
  const { run, asked, skipped, clock } = scene({
    a: [failure("rate_limit_exceeded", { retryAfterSeconds: 2 })],
    b: ["upstream_error", "upstream_error"],
  });
  assertEquals(await run(a, b), "a");
  assertEquals(asked, ["a?", "b", "a"]);
  assertEquals(clock.waits, [2_000]);
  const paused = scene({ a: [failure("rate_limit_exceeded", { retryAfterSeconds: 2 })] });
  assertEquals(await paused.run(a, b), "b");
  assertEquals(await paused.run(a, b), "b");
  assertEquals([paused.asked, paused.skipped], [["a?", "b", "b"], ["a paused"]]);
  assertEquals(skipped, []);
});

Deno.test("firstMember passes over a member whose breaker is open, and probes it later", async () => {
  const { run, asked, skipped, clock } = scene({ a: Array(3).fill("upstream_error") });
  for (let call = 0; call < 3; call++) await run(a, b);
  asked.length = 0;
  assertEquals(await run(a, b), "b");
  assertEquals([asked, skipped], [["b"], ["a unhealthy"]]);
  clock.nowMs += 600_000;
  assertEquals(await run(a, b), "a");
});

const facts: ChainFacts = {
  nowMs: Date.parse("2026-11-30T23:30:00Z"),
  stream: false,
  hasTools: () => true,
  hasImages: () => false,
  spentPercent: 50,
  session: "s",
};

const conditions: readonly (readonly [Partial<ChainMember>, string | undefined])[] = [
  [{}, undefined],
  [{ stream: false, tools: true, images: false }, undefined],
  [{ stream: true }, "stream"],
  [{ tools: false }, "tools"],
  [{ images: true }, "images"],
  [{ budgetPercent: 50 }, undefined],
  [{ budgetPercent: 51 }, "budget"],
  [{ hours: "22:00-06:00" }, undefined],
  [{ hours: "23:31-22:00" }, "hours"],
  [{ hours: "08:00-23:30" }, "hours"],
  [{ hours: "23:30-23:31" }, undefined],
  [{ sharePercent: 100 }, undefined],
];

for (const [condition, expected] of conditions) {
  Deno.test(`unmetCondition: ${JSON.stringify(condition)}`, () =>
    assertEquals(unmetCondition({ model: "a", ...condition }, facts), expected));
}

Deno.test("unmetCondition gives a share of the sessions to a member, each always the same", () => {
  const inShare = (session: string) =>
    unmetCondition({ model: "a", sharePercent: 10 }, { ...facts, session }) === undefined;
  const sessions = Array.from({ length: 5_000 }, (_, at) => `session ${at}`);
  const chosen = sessions.filter(inShare);
  assertEquals(Math.abs(chosen.length - 500) < 100, true, `${chosen.length} of 5000`);
  assertEquals(chosen.every(inShare), true);
});
