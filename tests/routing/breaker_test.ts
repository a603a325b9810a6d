import { assertEquals } from "@std/assert";
import { type AdmissionKind, Breaker, type BreakerRule } from "../../lib/routing/breaker.ts";

const rule: BreakerRule = {
  failuresMax: 3,
  windowFailuresMax: 5,
  openMs: 1_000,
  openMsMax: 4_000,
};

const error = { code: "upstream_error" } as const;

/** A step of a test: the outcome of a call, or the milliseconds that pass. */
type Step = "fail" | "answer" | "complete" | "leave" | number;

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly state: "closed" | "open" | "half-open";
  /** The remaining open time. */
  readonly openMs?: number;
}

const cases: readonly Case[] = [
  { name: "is closed at first", steps: [], state: "closed" },
  { name: "stays closed after a few failures", steps: ["fail", "fail"], state: "closed" },
  {
    name: "opens at failures in a row",
    steps: ["fail", "fail", "fail"],
    state: "open",
    openMs: 1_000,
  },
  {
    name: "stays closed if answers come in between",
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
    name: "stays closed after as many failures among more answers",
    steps: [..."12345"].flatMap((): Step[] => ["complete", "complete", "fail"]),
    state: "closed",
  },
  {
    name: "forgets old failures",
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
    name: "reopens at a failed answer, too, if a share of failures had opened it",
    steps: [...[..."12345"].flatMap((): Step[] => ["complete", "fail"]), 1_000, "answer", "fail"],
    state: "open",
    openMs: 2_000,
  },
  {
    name: "opens for the initial time again after a complete answer",
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
    name: "is not open longer after a probe that fails while it is open",
    steps: ["fail", "fail", "fail", 400, "fail"],
    state: "open",
    openMs: 600,
  },
  {
    name: "closes when a probe begins to answer while it is open",
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

Deno.test("Breaker counts the probes that are out", () => {
  const { breaker, nowMs } = after(["fail", "fail", "fail", 1_000]);
  assertEquals(breaker.probes, 0);
  const ways = [breaker.enter(nowMs), breaker.enter(nowMs)];
  assertEquals([ways, breaker.probes], [["probe", "probe"], 2]);
  breaker.left("probe");
  breaker.answered("probe");
  assertEquals(breaker.probes, 0);
});

Deno.test("Breaker is open longer once for several probes that fail together", () => {
  const { breaker, nowMs } = after(["fail", "fail", "fail", 1_000]);
  for (const way of [breaker.enter(nowMs), breaker.enter(nowMs), breaker.enter(nowMs)]) {
    breaker.failed(nowMs, { error, way, rule });
  }
  assertEquals([breaker.untilMs, breaker.probes], [nowMs + 2_000, 0]);
});

Deno.test("Breaker takes no word of a probe that failed or answered after another one had closed it", () => {
  const { breaker, nowMs } = after(["fail", "fail", "fail", 1_000]);
  for (let n = 0; n < 4; n++) breaker.enter(nowMs);
  breaker.answered("probe");
  for (let n = 0; n < 2; n++) breaker.failed(nowMs, { error, way: "probe", rule });
  assertEquals(breaker.state(nowMs), "closed");
  breaker.completed(nowMs);
  breaker.answered("probe");
  breaker.failed(nowMs, { error, way: breaker.enter(nowMs), rule });
  assertEquals([breaker.state(nowMs), breaker.probes], ["closed", 0], "it is not on trial again");
});

Deno.test("Breaker takes no word of calls that began before it opened", () => {
  const { breaker, nowMs } = after(["fail", "fail", "fail"]);
  breaker.completed(nowMs);
  breaker.failed(nowMs, { error, way: "call", rule });
  assertEquals([breaker.state(nowMs), breaker.untilMs], ["open", nowMs + 1_000]);
});

function after(steps: readonly Step[]) {
  const breaker = new Breaker(30_000);
  let nowMs = 1_000_000;
  let way: AdmissionKind = "call";
  for (const step of steps) {
    if (typeof step === "number") nowMs += step;
    else if (step === "complete") breaker.completed(nowMs);
    else {
      way = breaker.enter(nowMs);
      if (step === "fail") breaker.failed(nowMs, { error, way, rule });
      else if (step === "answer") breaker.answered(way);
      else breaker.left(way);
    }
  }
  return { breaker, nowMs };
}
