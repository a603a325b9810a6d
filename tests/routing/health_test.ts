import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { errorCatalog, type ErrorCode, type GatewayErrorOptions } from "../../lib/canonical/mod.ts";
import { Health, type OpenedBreaker, type State } from "../../lib/routing/mod.ts";
import { attempted, failure, healthOf, options, TestClock, upstream, waysTo } from "./upstreams.ts";

const two = upstream("u", { credentials: ["one", "two"], models: [{ id: "*" }] });
const [one, other] = waysTo(two);
const otherModel = { ...one, upstreamModel: "n" };
const elsewhere = waysTo(upstream("v"))[0];

/** The states of four candidates after three failures of one upstream, credential and model. */
interface Case {
  readonly code: ErrorCode;
  readonly more?: GatewayErrorOptions;
  readonly name: string;
  readonly times?: number;
  /** The failed one itself, its other credential, its other model, another upstream. */
  readonly expected: readonly [State, State, State, State];
}

const well = ["closed", "closed", "closed", "closed"] as const;

const cases: readonly Case[] = [
  {
    name: "opens a model of a credential",
    code: "upstream_error",
    expected: ["open", "closed", "closed", "closed"],
  },
  {
    name: "opens it too when the answer broke off",
    code: "upstream_truncated",
    expected: ["open", "closed", "closed", "closed"],
  },
  {
    name: "opens it too when nothing came",
    code: "upstream_timeout",
    expected: ["open", "closed", "closed", "closed"],
  },
  {
    name: "opens it too when the answer makes no sense",
    code: "upstream_invalid_response",
    expected: ["open", "closed", "closed", "closed"],
  },
  {
    name: "opens the whole upstream",
    code: "upstream_unreachable",
    expected: ["open", "open", "open", "closed"],
  },
  {
    name: "takes the credential out at once, for all models",
    code: "upstream_unauthorized",
    more: { upstreamStatus: 401 },
    times: 1,
    expected: ["open", "closed", "open", "closed"],
  },
  {
    name: "takes only the model away from a credential that is forbidden it",
    code: "upstream_unauthorized",
    more: { upstreamStatus: 403 },
    times: 1,
    expected: ["open", "closed", "closed", "closed"],
  },
  {
    name: "takes the credential out if a 403 says that it has expired",
    code: "upstream_unauthorized",
    more: {
      upstreamStatus: 403,
      said: { message: "The security token included in the request is expired" },
    },
    times: 1,
    expected: ["open", "closed", "open", "closed"],
  },
  {
    name: "takes the model away from a credential whose quota of the day is used up",
    code: "rate_limit_exceeded",
    more: {
      upstreamStatus: 429,
      said: { message: "Too many tokens per day, please wait before trying again." },
    },
    times: 1,
    expected: ["open", "closed", "closed", "closed"],
  },
  {
    name: "takes the credential out whose account has no quota",
    code: "rate_limit_exceeded",
    more: { upstreamStatus: 400, said: { type: "ServiceQuotaExceededException" } },
    times: 1,
    expected: ["open", "closed", "open", "closed"],
  },
  {
    name: "pauses a model of a credential",
    code: "rate_limit_exceeded",
    times: 1,
    expected: ["cooling", "closed", "closed", "closed"],
  },
];

for (const { name, code, more, times = 3, expected } of cases) {
  Deno.test(`Health: ${code} ${name}`, () => {
    const clock = new TestClock();
    const health = healthOf(clock);
    for (let n = 0; n < times; n++) attempted(health, one, failure(code, more));
    const states = [one, other, otherModel, elsewhere].map((candidate) =>
      health.status(candidate, clock.now()).state
    );
    assertEquals(states, [...expected]);
  });
}

Deno.test("Health: a quota of a day rests until the time that the upstream names, within its bounds", () => {
  for (const [seconds, expectedMs] of [[90, 90_000], [40_000, 240_000]] as const) {
    const clock = new TestClock();
    const health = healthOf(clock);
    const said = { message: "You exceeded your requests per day" };
    attempted(health, one, failure("rate_limit_exceeded", { said, retryAfterSeconds: seconds }));
    assertEquals(health.snapshot().map(({ state }) => state), ["open"]);
    assertEquals(health.snapshot()[0]?.untilMs, clock.now() + expectedMs);
  }
});

const counting = new Set<string>(cases.map(({ code }) => code).concat("upstream_overloaded"));

for (const code of Object.keys(errorCatalog) as ErrorCode[]) {
  if (counting.has(code)) continue;
  Deno.test(`Health: ${code} never counts`, () => {
    const clock = new TestClock();
    const health = healthOf(clock);
    for (let n = 0; n < 50; n++) attempted(health, one, failure(code, { upstreamStatus: 400 }));
    const states = [one, other, otherModel, elsewhere].map((candidate) =>
      health.status(candidate, clock.now()).state
    );
    assertEquals(states, [...well]);
    assertEquals(health.observed(one, clock.now()).errorShare, 0);
    assertEquals(health.snapshot(), []);
  });
}

Deno.test("Health: an upstream that answers with whatever status can be reached", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 20; n++) {
    attempted(health, one, failure("upstream_unreachable"));
    attempted(health, one, failure("upstream_unreachable"));
    attempted(health, otherModel, failure("invalid_request", { upstreamStatus: 400 }));
  }
  assertEquals(health.status(other, clock.now()).state, "closed");
});

Deno.test("Health: answers come between failures to connect, so that those are not in a row", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 20; n++) {
    attempted(health, one, failure("upstream_unreachable"));
    attempted(health, one, failure("upstream_unreachable"));
    assertEquals(health.status(other, clock.now()).state, "closed");
    for (let answers = 0; answers < 5; answers++) attempted(health, otherModel);
  }
});

Deno.test("Health: a refused credential is left alone for longer each time, and comes back by a probe", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  const refused = failure("upstream_unauthorized", { upstreamStatus: 401 });
  const outMs = [1, 2, 3, 4].map(() => {
    attempted(health, one, refused);
    const { untilMs = 0 } = health.status(one, clock.now());
    const ms = untilMs - clock.nowMs;
    clock.nowMs = untilMs;
    return ms;
  });
  assertEquals(outMs, [60_000, 120_000, 240_000, 240_000]);
  assertEquals(health.status(otherModel, clock.now()).state, "half-open");
  attempted(health, otherModel);
  assertEquals(health.status(one, clock.now()).state, "closed");
});

const pauses: readonly { name: string; seconds: (number | undefined)[]; expected: number }[] = [
  { name: "as long as the upstream says", seconds: [7], expected: 7_000 },
  { name: "not for ever, whatever it says", seconds: [86_400], expected: 60_000 },
  { name: "a while where it says nothing", seconds: [undefined], expected: 1_000 },
  { name: "longer the next time", seconds: [undefined, undefined], expected: 2_000 },
];

for (const { name, seconds, expected } of pauses) {
  Deno.test(`Health: a pause lasts ${name}`, () => {
    const clock = new TestClock();
    const health = healthOf(clock);
    for (const [index, retryAfterSeconds] of seconds.entries()) {
      if (index > 0) clock.nowMs = health.status(one, clock.now()).untilMs ?? 0;
      attempted(health, one, failure("rate_limit_exceeded", { retryAfterSeconds }));
    }
    assertEquals(health.status(one, clock.now()).untilMs, clock.nowMs + expected);
    clock.nowMs += expected;
    assertEquals(health.status(one, clock.now()).state, "closed");
  });
}

Deno.test("Health: a pause after an answer is as short as the first", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 4; n++) {
    attempted(health, one, failure("rate_limit_exceeded"));
    assertEquals(health.status(one, clock.now()).untilMs, clock.nowMs + 1_000);
    clock.nowMs += 1_000;
    attempted(health, one);
  }
});

Deno.test("Health: calls that were out when a pause began make it no longer", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 50; n++) attempted(health, one, failure("rate_limit_exceeded"));
  assertEquals(health.status(one, clock.now()).untilMs, clock.nowMs + 1_000);
});

Deno.test("Health: a failure behind the first byte counts like one before it", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 3; n++) {
    const handle = health.begin(one);
    handle?.answered(100);
    handle?.ended(failure("upstream_truncated"));
  }
  assertEquals(health.status(one, clock.now()).state, "open");
});

Deno.test("Health: one call at a time probes, and a caller who leaves gives the probe back", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 3; n++) attempted(health, one, failure("upstream_error"));
  clock.nowMs += 1_000;
  const probe = health.begin(one);
  assert(probe);
  assertEquals(health.begin(one), undefined);
  assertEquals(health.status(one, clock.now()).isProbing, true);
  probe.ended(failure("client_closed"));
  const next = health.begin(one);
  assert(next);
  next.answered(100);
  assertEquals(health.status(one, clock.now()), { state: "closed", isProbing: false });
});

Deno.test("Health: a probe at the upstream holds back its models too, whatever else is wrong with them", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 3; n++) attempted(health, one, failure("upstream_error"));
  for (let n = 0; n < 3; n++) attempted(health, otherModel, failure("upstream_unreachable"));
  assert(health.begin(otherModel));
  const { state, isProbing } = health.status(one, clock.now());
  assertEquals([state, isProbing, health.begin(one)], ["open", true, undefined]);
});

Deno.test("Health: a stream that a probe began gives back no other probe when it breaks off", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (let n = 0; n < 3; n++) attempted(health, one, failure("upstream_error"));
  clock.nowMs += 1_000;
  const first = health.begin(one);
  first?.answered(100);
  attempted(health, one, failure("upstream_error"));
  clock.nowMs += 2_000;
  const second = health.begin(one);
  first?.ended(failure("upstream_truncated"));
  assertEquals([second !== undefined, health.begin(one)], [true, undefined]);
  assert(health.begin(one, 2), "where nothing else is left, another call goes through");
});

Deno.test("Health: ignores reports after an attempt's end", () => {
  const clock = new TestClock();
  const health = healthOf(clock, { breakerFailuresMax: 2 });
  const handle = health.begin(one);
  handle?.answered(100);
  handle?.ended();
  for (let n = 0; n < 5; n++) handle?.ended(failure("upstream_error"));
  handle?.answered(9_000);
  assertEquals(health.status(one, clock.now()).state, "closed");
  assertEquals(health.observed(one, clock.now()), { firstByteMs: 100, errorShare: 0 });
});

Deno.test("Health: latency and error share are recent figures of an upstream's model, by any credential", () => {
  const clock = new TestClock();
  const health = healthOf(clock, { breakerFailuresMax: 1000, breakerWindowFailuresMax: 1000 });
  for (let n = 0; n < 100; n++) attempted(health, n % 2 ? one : other, undefined, 200);
  for (let n = 0; n < 100; n++) {
    attempted(health, one, n % 2 ? undefined : failure("upstream_error"), 400);
  }
  const { firstByteMs = 0, errorShare } = health.observed(other, clock.now());
  assertAlmostEquals(firstByteMs, 400, 10);
  assertAlmostEquals(errorShare, 0.5, 0.1);
  assertEquals(health.observed(otherModel, clock.now()), { errorShare: 0 });
  clock.nowMs += 60_000;
  assertAlmostEquals(health.observed(one, clock.now()).errorShare, errorShare / 2, 0.001);
});

Deno.test("Health: an embedded model is always healthy", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  const inside = waysTo(upstream("in", { answer: () => [][Symbol.iterator]() as never }))[0];
  for (let n = 0; n < 9; n++) attempted(health, inside, failure("upstream_error"));
  attempted(health, inside, failure("rate_limit_exceeded"));
  assertEquals(health.status(inside, clock.now()).state, "closed");
  assertEquals(health.snapshot(), []);
});

Deno.test("Health: has a bound of entries, and forgets those that were not called for the longest", () => {
  const clock = new TestClock();
  const health = healthOf(clock, { healthEntriesMax: 10 });
  const fail = (model: string) =>
    attempted(health, { ...one, upstreamModel: model }, failure("upstream_error"));
  for (let n = 0; n < 3; n++) fail("kept");
  for (let n = 0; n < 1_000; n++) {
    fail(`made up ${n}`);
    health.status({ ...one, upstreamModel: "kept" }, clock.now());
  }
  assertEquals(health.snapshot().length, 10);
  assertEquals(health.status({ ...one, upstreamModel: "kept" }, clock.now()).state, "open");
});

Deno.test("Health: reports every breaker that opens, and one that stays open for longer", () => {
  const clock = new TestClock();
  const opened: OpenedBreaker[] = [];
  const health = new Health(options, () => clock.now(), (one) => opened.push(one));
  for (let n = 0; n < 5; n++) attempted(health, one, failure("upstream_timeout"));
  clock.nowMs += 1_000;
  attempted(health, one, failure("upstream_error"));
  const target = { upstreamId: "u", credentialId: one.credential?.id, model: "m" };
  assertEquals(opened, [
    { target, code: "upstream_timeout", untilMs: clock.nowMs },
    { target, code: "upstream_error", untilMs: clock.nowMs + 2_000 },
  ]);
});

Deno.test("Health: the snapshot names no secret, and gives each open breaker's reason", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  attempted(health, other, undefined, 250);
  attempted(health, one, failure("upstream_unauthorized", { upstreamStatus: 401 }));
  const secretId = one.credential?.id ?? "";
  const rows = health.snapshot();
  assertEquals(rows.find(({ credentialId }) => credentialId === secretId), {
    upstreamId: "u",
    credentialId: secretId,
    state: "open",
    untilMs: clock.nowMs + 60_000,
    failures: 1,
    windowCalls: 0,
    windowFailures: 0,
    lastError: { code: "upstream_unauthorized", atMs: clock.nowMs },
  });
  const answered = rows.find(({ credentialId }) => credentialId === other.credential?.id);
  assertEquals([answered?.state, answered?.windowCalls, answered?.observed?.firstByteMs], [
    "closed",
    1,
    250,
  ]);
  assertEquals(/one|two/.test(JSON.stringify(rows)), false);
  assertEquals(secretId, "7692c3ad", "the first digits of the SHA-256 of `one`");
});

Deno.test("Health: forgets the failures of an upstream that was changed", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  for (const candidate of [one, elsewhere]) {
    for (let n = 0; n < 3; n++) attempted(health, candidate, failure("upstream_error"));
  }
  health.forget("u");
  assertEquals(
    [one, elsewhere].map((candidate) => health.status(candidate, clock.now()).state),
    ["closed", "open"],
  );
});

Deno.test("Health: counts running attempts, each once, until its answer ends", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  const [first, second] = [health.begin(one), health.begin(other)];
  assertEquals([health.running("u"), health.running("v")], [2, 0]);
  first?.answered(10);
  assertEquals(health.running("u"), 2);
  first?.ended();
  first?.ended(failure("upstream_error"));
  assertEquals(health.running("u"), 1);
  second?.ended(failure("client_closed"));
  assertEquals(health.running("u"), 0);
});
