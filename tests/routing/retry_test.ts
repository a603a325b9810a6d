import { assertEquals, assertRejects } from "@std/assert";
import { type ErrorCode, GatewayError, type GatewayErrorOptions } from "../../lib/canonical/mod.ts";
import { firstSuccess, RetryBudget, type TryBounds } from "../../lib/routing/mod.ts";
import type { Candidate } from "../../lib/upstreams/upstream.ts";
import { failure, healthOf, TestClock, upstream, waysTo } from "./upstreams.ts";

const overloaded = (more: GatewayErrorOptions = {}) =>
  failure("upstream_overloaded", { upstreamStatus: 503, ...more });
const failed = (status: number) => failure("upstream_error", { upstreamStatus: status });
const broken = (code: ErrorCode) => failure(code, { isBroken: true });

/** A call whose attempts fail in turn, and what it did; `random` is 0.5, so a pause lasts 200 ms. */
async function tried(
  failures: readonly GatewayError[],
  { candidates = waysTo(upstream("a")), percent = 20, onWait, ...more }: Partial<TryBounds> & {
    readonly candidates?: readonly Candidate[];
    readonly percent?: number;
    readonly onWait?: () => void;
  } = {},
) {
  const clock = new TestClock();
  if (onWait) clock.onWait = onWait;
  const health = healthOf(clock, { breakerFailuresMax: 3 });
  const asked: string[] = [];
  const left = [...failures];
  const attempt = ({ upstream: { id } }: Candidate) => {
    asked.push(id);
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve("answer");
  };
  const running = (id: string) => health.running(id);
  const bounds: TryBounds = {
    caller: new AbortController().signal,
    deadlineMs: Infinity,
    attemptsMax: 4,
    waitMsMax: 5_000,
    breakerCallsMax: 2,
    health,
    clock,
    retries: new RetryBudget({ percent, running, random: () => 0.5 }),
    ...more,
  };
  const error = await firstSuccess(candidates, attempt, bounds).then(() => undefined)
    .catch((thrown: GatewayError) => thrown.code);
  return { asked, waits: clock.waits, error };
}

const passing = [failed(500), failed(502), overloaded(), overloaded({ upstreamStatus: 529 })];

for (const error of [...passing, broken("upstream_unreachable"), broken("upstream_truncated")]) {
  Deno.test(`a call that failed with ${error.upstreamStatus ?? error.code} is tried once more`, async () => {
    assertEquals(await tried([error]), { asked: ["a", "a"], waits: [200], error: undefined });
    const twice = await tried([error, error]);
    assertEquals(twice, { asked: ["a", "a"], waits: [200], error: error.code });
  });
}

const lasting: readonly (readonly [string, GatewayError])[] = [
  ["504", failed(504)],
  ["501", failed(501)],
  ["a timeout", failure("upstream_timeout")],
  ["a name that cannot be resolved", failure("upstream_unreachable")],
  ["an answer that broke after its first byte", failure("upstream_truncated")],
  ["an error within an answer", failure("upstream_overloaded")],
  ["a refusal of the request", failure("invalid_request", { upstreamStatus: 400 })],
  ["a refused credential", failure("upstream_unauthorized", { upstreamStatus: 401 })],
  ["a wish for a long pause", overloaded({ retryAfterSeconds: 6 })],
];

for (const [name, error] of lasting) {
  Deno.test(`a call is not tried again after ${name}`, async () => {
    assertEquals(await tried([error]), { asked: ["a"], waits: [], error: error.code });
  });
}

Deno.test("a retry waits as long as the upstream says", async () => {
  assertEquals((await tried([overloaded({ retryAfterSeconds: 2 })])).waits, [2_200]);
});

Deno.test("other upstreams come first, and the last one is tried again", async () => {
  const candidates = waysTo(upstream("a"), upstream("b"));
  assertEquals((await tried([failed(500)], { candidates })).asked, ["a", "b"]);
  const both = await tried([failed(500), failed(500)], { candidates });
  assertEquals([both.asked, both.error], [["a", "b", "b"], undefined]);
});

const withoutRetry: Readonly<Record<string, Parameters<typeof tried>[1]>> = {
  "the request could be done twice": { isRepeatable: () => false },
  "the upstream has it switched off": { candidates: waysTo(upstream("a", { retry: false })) },
  "the gateway has it switched off": { percent: 0 },
  "no attempts are left": { attemptsMax: 1 },
  "the deadline has passed": { deadlineMs: 0 },
  "the deadline comes first": { deadlineMs: new TestClock().nowMs + 100 },
};

for (const [name, bounds] of Object.entries(withoutRetry)) {
  Deno.test(`no call is tried again if ${name}`, async () => {
    const { asked, waits, error } = await tried([overloaded()], bounds);
    assertEquals([asked, waits, error], [["a"], [], "upstream_overloaded"]);
  });
}

Deno.test("no call is tried again after its caller has left during the pause", async () => {
  const caller = new AbortController();
  const left = await tried([overloaded()], {
    caller: caller.signal,
    onWait: () => caller.abort(),
  });
  assertEquals([left.asked, left.error], [["a"], "client_closed"]);
});

/** `calls` that fail at once at one upstream, with so many others in progress there. */
async function outage(calls: number, running: number) {
  const clock = { now: () => 0, wait: () => pausing.promise };
  const pausing = Promise.withResolvers<void>();
  const health = healthOf(clock, { breakerFailuresMax: 1_000, breakerWindowFailuresMax: 1_000 });
  const retries = new RetryBudget({ percent: 20, running: () => running, random: () => 0 });
  let asked = 0;
  const attempt = () => {
    asked++;
    return Promise.reject(overloaded());
  };
  const bounds: TryBounds = {
    caller: new AbortController().signal,
    deadlineMs: Infinity,
    attemptsMax: 4,
    waitMsMax: 5_000,
    breakerCallsMax: 2,
    health,
    clock,
    retries,
  };
  const candidates = waysTo(upstream("a"));
  const round = () =>
    Promise.all(
      Array.from(
        { length: calls },
        () => assertRejects(() => firstSuccess(candidates, attempt, bounds)),
      ),
    );
  setTimeout(pausing.resolve);
  await round();
  const first = asked;
  await round(); // the retries of the first round are over
  return [first - calls, asked - first - calls];
}

Deno.test("retries are a share of the calls in progress, and three at least", async () => {
  assertEquals(await outage(100, 10), [3, 3]);
  assertEquals(await outage(100, 100), [20, 20]);
});

Deno.test("a call is not tried again at an upstream whose circuit is open", async () => {
  const failures = [overloaded(), overloaded(), overloaded(), overloaded()];
  const candidates = waysTo(upstream("a", { credentials: ["x"] }));
  const clock = new TestClock();
  const health = healthOf(clock, { breakerFailuresMax: 1 });
  const { asked } = await tried(failures, { candidates, health, clock });
  assertEquals(asked, ["a"]);
});
