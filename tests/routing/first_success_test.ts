import { assert, assertEquals, assertRejects } from "@std/assert";
import { errorCatalog, type ErrorCode, GatewayError } from "../../lib/canonical/mod.ts";
import { type AttemptResult, firstSuccess, type TryBounds } from "../../lib/routing/mod.ts";
import type { Candidate } from "../../lib/upstreams/upstream.ts";
import { attempted, failure, healthOf, TestClock, upstream, waysTo } from "./upstreams.ts";

const ways = waysTo(upstream("a"), upstream("b"), upstream("c"));

/** The failures of each upstream, call by call; after the last one, it answers. */
type Script = Readonly<Record<string, readonly (GatewayError | ErrorCode)[]>>;

/** A call that tries `candidates`, with a record of its attempts. */
function scene(script: Script, more: Partial<TryBounds> = {}) {
  const clock = new TestClock();
  const health = healthOf(clock);
  const asked: string[] = [];
  const told: AttemptResult[] = [];
  const left = Object.fromEntries(Object.entries(script).map(([id, list]) => [id, [...list]]));
  const attempt = ({ upstream: { id }, credential }: Candidate): Promise<string> => {
    asked.push(credential && credential.secret !== "k" ? `${id} ${credential.secret}` : id);
    clock.nowMs += 10;
    const next = left[id]?.shift();
    if (next === undefined) return Promise.resolve(`${id} answers`);
    return Promise.reject(typeof next === "string" ? failure(next) : next);
  };
  const bounds: TryBounds = {
    caller: new AbortController().signal,
    deadlineMs: clock.nowMs + 300_000,
    attemptsMax: 4,
    waitMsMax: 5_000,
    breakerCallsMax: 2,
    health,
    clock,
    onAttempt: (one) => told.push(one),
    ...more,
  };
  return {
    asked,
    told,
    clock,
    health,
    run: async (candidates: readonly Candidate[] = ways) =>
      (await firstSuccess(candidates, attempt, bounds)).answer,
    refusal: (candidates: readonly Candidate[] = ways) =>
      assertRejects(() => firstSuccess(candidates, attempt, bounds), GatewayError),
  };
}

const limited = (retryAfterSeconds?: number) =>
  failure("rate_limit_exceeded", { retryAfterSeconds });
const refused = failure("upstream_unauthorized", { upstreamStatus: 401 });

interface Case {
  readonly name: string;
  readonly script: Script;
  readonly candidates?: readonly Candidate[];
  readonly asked: readonly string[];
  readonly waits?: readonly number[];
}

const threeKeys = waysTo(upstream("a", { credentials: ["x", "y", "z"] }), upstream("b"));

const answered: readonly Case[] = [
  { name: "asks nobody else once one answers", script: {}, asked: ["a"] },
  {
    name: "moves on after failures that another upstream may not have",
    script: { a: ["upstream_timeout"], b: ["rate_limit_exceeded"] },
    asked: ["a", "b", "c"],
  },
  {
    name: "turns to another credential where one is refused",
    script: { a: [refused] },
    candidates: threeKeys,
    asked: ["a x", "a y"],
  },
  {
    name: "turns to another credential where one is at its limit",
    script: { a: [limited()] },
    candidates: threeKeys,
    asked: ["a x", "a y"],
  },
  {
    name: "turns to another upstream, not to another credential, where the upstream fails",
    script: { a: ["upstream_error"] },
    candidates: threeKeys,
    asked: ["a x", "b"],
  },
  {
    name: "turns to another upstream where it cannot be reached",
    script: { a: ["upstream_unreachable"] },
    candidates: threeKeys,
    asked: ["a x", "b"],
  },
  {
    name: "turns to the other credentials when nothing else is left",
    script: { a: ["upstream_error"], b: ["upstream_error"] },
    candidates: threeKeys,
    asked: ["a x", "b", "a y"],
  },
  {
    name: "leaves an upstream that has no such endpoint, with all its credentials",
    script: { a: ["endpoint_not_served"] },
    candidates: threeKeys,
    asked: ["a x", "b"],
  },
  {
    name: "waits for a pause that is short, when nothing else is left",
    script: { a: [limited(2)], b: ["upstream_error"], c: ["upstream_error"] },
    asked: ["a", "b", "c", "a"],
    waits: [1_980],
  },
  {
    name: "waits again where the upstream asks for it again",
    script: { a: [limited(2), limited(2)] },
    candidates: ways.slice(0, 1),
    asked: ["a", "a", "a"],
    waits: [2_000, 2_000],
  },
  {
    name: "waits for the shortest pause",
    script: { a: [limited(4)], b: [limited(1)] },
    candidates: ways.slice(0, 2),
    asked: ["a", "b", "b"],
    waits: [1_000],
  },
];

for (const { name, script, candidates, asked, waits = [] } of answered) {
  Deno.test(`firstSuccess ${name}`, async () => {
    const call = scene(script);
    await call.run(candidates);
    assertEquals([call.asked, call.clock.waits], [[...asked], [...waits]]);
  });
}

interface Refusal extends Omit<Case, "asked"> {
  readonly asked?: readonly string[];
  readonly code: ErrorCode;
  readonly retryAfterSeconds?: number;
}

const limitedAlone = {
  candidates: ways.slice(0, 1),
  asked: ["a", "a", "a"],
  code: "rate_limit_exceeded",
} as const;

const refusals: readonly Refusal[] = [
  {
    name: "throws the last failure where all fail alike",
    script: { a: ["upstream_error"], b: ["upstream_error"], c: ["upstream_truncated"] },
    asked: ["a", "b", "c"],
    code: "upstream_truncated",
  },
  {
    name: "rather says that it is too much than that it failed",
    script: { a: ["upstream_error"], b: ["upstream_overloaded"], c: ["upstream_error"] },
    code: "upstream_overloaded",
  },
  {
    name: "rather says when to come back than that it failed",
    script: { a: ["upstream_error"], b: [limited(30)], c: ["upstream_overloaded"] },
    asked: ["a", "b", "c"],
    code: "rate_limit_exceeded",
    retryAfterSeconds: 30,
  },
  {
    name: "says when to come back at the earliest",
    script: { a: [limited(30)], b: [limited(10)], c: [limited(20)] },
    asked: ["a", "b", "c"],
    code: "rate_limit_exceeded",
    retryAfterSeconds: 10,
  },
  {
    name: "waits no longer than it may in all",
    script: { a: [limited(2), limited(2), limited(2)] },
    ...limitedAlone,
    waits: [2_000, 2_000],
    retryAfterSeconds: 2,
  },
  {
    name: "says when to come back where the upstream does not",
    script: { a: Array(4).fill(limited()) },
    ...limitedAlone,
    waits: [1_000, 2_000],
    retryAfterSeconds: 4,
  },
  {
    name: "says that nobody serves the model where there is no candidate",
    script: {},
    candidates: [],
    asked: [],
    code: "no_upstream",
  },
  {
    name: "makes no more attempts than it may",
    script: { a: Array(9).fill(refused) },
    candidates: waysTo(upstream("a", { credentials: [..."uvwxyz"] })),
    asked: ["a u", "a v", "a w", "a x"],
    code: "upstream_unauthorized",
  },
  {
    name: "tries nobody else while the gateway stops",
    script: { a: ["shutting_down"] },
    asked: ["a"],
    code: "shutting_down",
  },
];

for (const { name, script, candidates, asked, waits, code, retryAfterSeconds } of refusals) {
  Deno.test(`firstSuccess ${name}`, async () => {
    const call = scene(script);
    const error = await call.refusal(candidates);
    assertEquals([error.code, error.retryAfterSeconds], [code, retryAfterSeconds]);
    if (asked) assertEquals(call.asked, [...asked]);
    if (waits) assertEquals(call.clock.waits, [...waits]);
  });
}

const final = Object.entries(errorCatalog).filter(([, { retryable }]) => !retryable)
  .map(([code]) => code as ErrorCode).filter((code) => code !== "endpoint_not_served");

for (const code of final) {
  Deno.test(`firstSuccess ends at ${code}`, async () => {
    const call = scene({ a: [code] });
    const error = await call.refusal();
    assertEquals([error.code, call.asked], [code, ["a"]]);
  });
}

Deno.test("firstSuccess reports a failure rather than upstreams that lack the endpoint", async () => {
  const none: ErrorCode[] = ["endpoint_not_served"];
  const failed = scene({ a: ["upstream_error"], b: none, c: none });
  assertEquals((await failed.refusal()).code, "upstream_error");
  const lacking = scene({ a: none, b: none, c: none });
  assertEquals((await lacking.refusal()).code, "endpoint_not_served");
});

Deno.test("firstSuccess ends at a bug, and gives the probe back", async () => {
  const bug = new TypeError("bug");
  const { health, clock } = scene({});
  const [a] = ways;
  for (let n = 0; n < 3; n++) attempted(health, a, failure("upstream_error"));
  clock.nowMs += 1_000;
  const bounds: TryBounds = {
    caller: new AbortController().signal,
    deadlineMs: Infinity,
    attemptsMax: 4,
    waitMsMax: 0,
    breakerCallsMax: 2,
    health,
    clock,
  };
  const thrown = await assertRejects(() => firstSuccess([a], () => Promise.reject(bug), bounds));
  assertEquals(thrown, bug);
  assertEquals(health.status(a, clock.now()).isProbing, false);
});

Deno.test("firstSuccess tries nobody else once the caller has left, and blames nobody for it", async () => {
  const caller = new AbortController();
  const call = scene({ a: Array(3).fill("upstream_unreachable") }, { caller: caller.signal });
  caller.abort();
  const error = await call.refusal();
  assertEquals([error.code, call.asked], ["client_closed", []]);
  const leaving = new AbortController();
  const { health, clock } = call;
  for (let n = 0; n < 5; n++) {
    const bounds = {
      caller: leaving.signal,
      deadlineMs: Infinity,
      attemptsMax: 4,
      waitMsMax: 0,
      breakerCallsMax: 2,
      health,
      clock,
    };
    const left = await assertRejects(() =>
      firstSuccess(ways, () => {
        leaving.abort();
        return Promise.reject(failure("upstream_unreachable"));
      }, bounds), GatewayError);
    assertEquals(left.code, "client_closed");
  }
  assertEquals(health.snapshot(), []);
});

Deno.test("firstSuccess waits no longer for a caller who has left", async () => {
  const caller = new AbortController();
  const call = scene({ a: [limited(2)] }, { caller: caller.signal });
  call.clock.onWait = () => caller.abort();
  const error = await call.refusal(ways.slice(0, 1));
  assertEquals([error.code, call.asked], ["client_closed", ["a"]]);
});

Deno.test("firstSuccess tries nobody else once the deadline has passed", async () => {
  const call = scene({ a: ["upstream_error"] }, { deadlineMs: 0 });
  const error = await call.refusal();
  assertEquals([error.message, call.asked], ["fails with upstream_error", ["a"]]);
});

Deno.test("firstSuccess waits for no pause that ends behind the deadline", async () => {
  const call = scene({ a: [limited(2)] }, { deadlineMs: new TestClock().nowMs + 1_500 });
  assertEquals((await call.refusal(ways.slice(0, 1))).retryAfterSeconds, 2);
  assertEquals(call.clock.waits, []);
});

/** Every look at it takes a millisecond. */
class TickingClock extends TestClock {
  override now(): number {
    return this.nowMs++;
  }
}

Deno.test("firstSuccess asks one whose pause ends at any moment of the search", async () => {
  for (let leftMs = 0; leftMs < 20; leftMs++) {
    const clock = new TickingClock();
    const health = healthOf(clock);
    const { run, refusal } = scene({ a: [limited(2)] }, { clock, health, waitMsMax: 100 });
    const [only] = ways;
    await refusal([only]);
    const { untilMs = 0 } = health.status(only, clock.nowMs);
    clock.nowMs = untilMs - leftMs;
    assertEquals(await run([only]), "a answers", `${leftMs} ms before its end`);
  }
});

Deno.test("firstSuccess says when to come back where all are paused for long", async () => {
  const call = scene({});
  attempted(call.health, ways[0], limited(40));
  attempted(call.health, ways[1], limited(20));
  const error = await call.refusal(ways.slice(0, 2));
  assertEquals([error.code, error.retryAfterSeconds, call.asked], ["rate_limit_exceeded", 20, []]);
});

Deno.test("firstSuccess says when to come back where one is paused and the others fail", async () => {
  const call = scene({ b: ["upstream_error"], c: ["upstream_overloaded"] });
  attempted(call.health, ways[0], limited(40));
  const error = await call.refusal();
  assertEquals([error.code, error.retryAfterSeconds], ["rate_limit_exceeded", 40]);
  assertEquals(call.asked, ["b", "c"]);
});

Deno.test("firstSuccess throws the last one of equal failures", async () => {
  const [first, second] = [failure("upstream_overloaded"), failure("upstream_overloaded")];
  const call = scene({ a: [first], b: [second], c: ["upstream_error"] });
  assert(await call.refusal() === second);
});

Deno.test("firstSuccess asks one that an open breaker keeps away when nothing else is left", async () => {
  const call = scene({ b: ["upstream_error"] });
  for (let n = 0; n < 3; n++) attempted(call.health, ways[0], failure("upstream_error"));
  assertEquals(await call.run(ways.slice(0, 2)), "a answers");
  assertEquals(call.asked, ["b", "a"]);
  assertEquals(call.health.status(ways[0], call.clock.now()).state, "closed");
});

for (
  const { name, passedMs } of [{ name: "open", passedMs: 0 }, {
    name: "half-open",
    passedMs: 1_000,
  }]
) {
  Deno.test(`firstSuccess asks what is ${name} beside a probe that is out, without a wait`, async () => {
    const call = scene({});
    const [a] = ways;
    for (let n = 0; n < 3; n++) attempted(call.health, a, failure("upstream_error"));
    call.clock.nowMs += passedMs;
    assert(call.health.begin(a));
    assertEquals(await call.run([a]), "a answers");
    assertEquals([call.asked, call.clock.waits], [["a"], []]);
  });
}

Deno.test("firstSuccess prefers a healthy candidate to one that a call is probing", async () => {
  const call = scene({});
  for (let n = 0; n < 3; n++) attempted(call.health, ways[0], failure("upstream_error"));
  call.clock.nowMs += 1_000;
  assert(call.health.begin(ways[0]));
  assertEquals(await call.run(), "b answers");
});

Deno.test("firstSuccess prefers a half-open candidate to an open one", async () => {
  const call = scene({});
  const [a, b] = ways;
  for (let n = 0; n < 3; n++) attempted(call.health, b, failure("upstream_error"));
  call.clock.nowMs += 1_000;
  for (let n = 0; n < 3; n++) attempted(call.health, a, failure("upstream_error"));
  assert(call.health.begin(b));
  assertEquals(await call.run([a, b]), "b answers");
});

for (
  const { asks, seconds } of [{ asks: undefined, seconds: 1 }, { asks: 7, seconds: 7 }, {
    asks: 300,
    seconds: 30,
  }]
) {
  Deno.test(`firstSuccess refuses a call at once, with the failure before it, where enough probes are out: retry-after ${asks}`, async () => {
    const call = scene({});
    const [a] = ways;
    const overloaded = failure("upstream_overloaded", { retryAfterSeconds: asks });
    for (let n = 0; n < 3; n++) attempted(call.health, a, overloaded);
    for (let n = 0; n < 2; n++) assert(call.health.begin(a, 2));
    const error = await call.refusal([a]);
    assertEquals(
      [error.code, error.retryAfterSeconds, call.asked, call.clock.waits],
      ["upstream_overloaded", seconds, [], []],
    );
    assert(!error.message.includes(overloaded.message), "the words are another caller's");
  });
}

Deno.test("firstSuccess says when to come back where every candidate's breaker is open", async () => {
  const call = scene({ a: Array(3).fill("upstream_error") });
  for (let n = 0; n < 2; n++) {
    assertEquals((await call.refusal(ways.slice(0, 1))).retryAfterSeconds, undefined);
  }
  const error = await call.refusal(ways.slice(0, 1));
  assertEquals([error.code, error.message, error.retryAfterSeconds], [
    "upstream_error",
    "fails with upstream_error",
    1,
  ]);
});

Deno.test("firstSuccess reports every attempt with its duration and its outcome", async () => {
  const call = scene({ a: ["upstream_timeout"] });
  const startedAtMs = call.clock.nowMs;
  await call.run();
  assertEquals(
    call.told.map(({ candidate, error, ...times }) => ({
      id: candidate.upstream.id,
      code: error?.code,
      ...times,
    })),
    [
      { id: "a", code: "upstream_timeout", startedAtMs, durationMs: 10 },
      { id: "b", code: undefined, startedAtMs: startedAtMs + 10, durationMs: 10 },
    ],
  );
  assertEquals(call.health.observed(ways[1], call.clock.now()).firstByteMs, 10);
});
