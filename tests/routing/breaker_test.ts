import { assertEquals } from "@std/assert";
import { Breaker, type BreakerRule, type Way } from "../../lib/routing/breaker.ts";

const rule: BreakerRule = {
  failuresMax: 3,
  windowFailuresMax: 5,
  openMs: 1_000,
  openMsMax: 4_000,
};

/** What happens to a breaker: calls that come through and fail, or end well; and time that goes by. */
type Step = "fail" | "answer" | "complete" | "leave" | number;

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly state: "closed" | "open" | "half-open";
  /** How long it is still open. */
  readonly openMs?: number;
}

const cases: readonly Case[] = [
  { name: "is closed at first", steps: [], state: "closed" },
  { name: "bears some failures", steps: ["fail", "fail"], state: "closed" },
  {
    name: "opens at failures in a row",
    steps: ["fail", "fail", "fail"],
    state: "open",
    openMs: 1_000,
  },
  {
    name: "stays closed where answers come between",
    steps: ["fail", "fail", "complete", "fail", "fail"],
    state: "closed",
  },
  {
    name: "opens at failures in a window, when half of the calls fail",
    steps: [..."12345"].flatMap((): Step[] => ["complete", "fail"]),
    state: "open",
    openMs: 1_000,
  },
  {
    name: "bears as many failures among more answers",
    steps: [..."12345"].flatMap((): Step[] => ["complete", "complete", "fail"]),
    state: "closed",
  },
  {
    name: "forgets failures of long ago",
    steps: [..."12345678"].flatMap((): Step[] => ["complete", "fail", 10_000]),
    state: "closed",
  },
  {
    name: "is half-open after a while",
    steps: ["fail", "fail", "fail", 1_000],
    state: "half-open",
  },
  {
    name: "closes when a probe begins to answer",
    steps: ["fail", "fail", "fail", 1_000, "answer"],
    state: "closed",
  },
  {
    name: "is open twice as long after a probe that fails",
    steps: ["fail", "fail", "fail", 1_000, "fail"],
    state: "open",
    openMs: 2_000,
  },
  {
    name: "is never open longer than its bound",
    steps: ["fail", "fail", "fail", 1_000, "fail", 2_000, "fail", 4_000, "fail"],
    state: "open",
    openMs: 4_000,
  },
  {
    name: "opens again when the probe's answer breaks off",
    steps: ["fail", "fail", "fail", 1_000, "answer", "fail"],
    state: "open",
    openMs: 2_000,
  },
  {
    name: "that a share of failures opened opens again just so",
    steps: [...[..."12345"].flatMap((): Step[] => ["complete", "fail"]), 1_000, "answer", "fail"],
    state: "open",
    openMs: 2_000,
  },
  {
    name: "is open as shortly as at first after a whole answer",
    steps: ["fail", "fail", "fail", 1_000, "answer", "complete", "fail", "fail", "fail"],
    state: "open",
    openMs: 1_000,
  },
  {
    name: "forgets all failures of a busy time once it is over",
    steps: [...[..."1234"].flatMap((): Step[] => ["complete", "fail"]), 40_000, "complete", "fail"],
    state: "closed",
  },
  {
    name: "starts over after a whole answer",
    steps: ["fail", "fail", "fail", 1_000, "answer", "complete", "fail", "fail"],
    state: "closed",
  },
  {
    name: "is open no longer because of a forced call that fails",
    steps: ["fail", "fail", "fail", 400, "fail"],
    state: "open",
    openMs: 600,
  },
  {
    name: "closes when a forced call begins to answer",
    steps: ["fail", "fail", "fail", 400, "answer"],
    state: "closed",
  },
  {
    name: "stays as it is when a probe's caller leaves",
    steps: ["fail", "fail", "fail", 1_000, "leave"],
    state: "half-open",
  },
];

for (const { name, steps, state, openMs } of cases) {
  Deno.test(`Breaker ${name}`, () => {
    const { breaker, nowMs } = after(steps);
    assertEquals(breaker.state(nowMs), state);
    assertEquals(
      breaker.untilMs === undefined ? undefined : breaker.untilMs - nowMs,
      openMs ?? (
        state === "half-open" ? 0 : undefined
      ),
    );
  });
}

Deno.test("Breaker lets one probe through at a time", () => {
  const { breaker, nowMs } = after(["fail", "fail", "fail", 1_000]);
  assertEquals(breaker.isProbing, false);
  const way = breaker.enter(nowMs);
  assertEquals([way, breaker.isProbing], ["probe", true]);
  breaker.left(way);
  assertEquals(breaker.isProbing, false);
});

Deno.test("Breaker tells who waits that the probe is back", async () => {
  const { breaker, nowMs } = after(["fail", "fail", "fail", 1_000]);
  await breaker.freed(); // none is out
  const way = breaker.enter(nowMs);
  const told: string[] = [];
  const waiting = breaker.freed().then(() => told.push("back"));
  await Promise.resolve();
  assertEquals(told, []);
  breaker.answered(way);
  await waiting;
  assertEquals(told, ["back"]);
});

Deno.test("Breaker takes no word of calls that began before it opened", () => {
  const { breaker, nowMs } = after(["fail", "fail", "fail"]);
  breaker.completed(nowMs);
  breaker.failed(nowMs, { code: "upstream_error", way: "call", rule });
  assertEquals([breaker.state(nowMs), breaker.untilMs], ["open", nowMs + 1_000]);
});

function after(steps: readonly Step[]) {
  const breaker = new Breaker(30_000);
  let nowMs = 1_000_000;
  let way: Way = "call";
  for (const step of steps) {
    if (typeof step === "number") nowMs += step;
    else if (step === "complete") breaker.completed(nowMs);
    else {
      way = breaker.enter(nowMs);
      if (step === "fail") breaker.failed(nowMs, { code: "upstream_error", way, rule });
      else if (step === "answer") breaker.answered(way);
      else breaker.left(way);
    }
  }
  return { breaker, nowMs };
}
