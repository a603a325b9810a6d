import { assert, assertEquals } from "@std/assert";
import { startTimer, TimerWheel } from "../../lib/http/timers.ts";
import { later } from "../waiting.ts";

Deno.test("timers fire in order, never early, and at most a step late", async () => {
  const fired: { wanted: number; ms: number }[] = [];
  const startedAt = performance.now();
  for (const wanted of [120, 5, 60, 61, 0, 30]) {
    startTimer(wanted, () => fired.push({ wanted, ms: performance.now() - startedAt }));
  }
  await later(300);
  assertEquals(fired.map(({ wanted }) => wanted).toSorted((a, b) => a - b), [
    0,
    5,
    30,
    60,
    61,
    120,
  ]);
  assertEquals(fired.map(({ ms }) => ms), fired.map(({ ms }) => ms).toSorted((a, b) => a - b));
  for (const { wanted, ms } of fired) assert(ms >= wanted, `${wanted} fired after ${ms} ms`);
});

Deno.test("a cancelled timer does not fire, and the runtime's timer ends with the last one", async () => {
  const fired: string[] = [];
  const first = startTimer(20, () => fired.push("first"));
  const second = startTimer(20, () => fired.push("second"));
  first.cancel();
  first.cancel();
  await later(80);
  second.cancel();
  assertEquals(fired, ["second"]);
  startTimer(60_000, () => fired.push("never")).cancel(); // or the test leaks a timer
});

Deno.test("a timer may cancel another of the same step, and start one", async () => {
  const fired: string[] = [];
  const now = { ms: 0 };
  const wheel = new TimerWheel(() => now.ms);
  wheel.start(10, () => {
    fired.push("first");
    second.cancel();
    wheel.start(0, () => fired.push("third"));
  });
  const second = wheel.start(10, () => fired.push("second"));
  now.ms = 10;
  await later(60);
  assertEquals(fired, ["first", "third"]);
});

Deno.test("ten thousand timers at any time keep one timer of the runtime", async () => {
  let fired = 0;
  const timers = Array.from({ length: 10_000 }, (_, at) => startTimer(at % 400, () => fired++));
  for (const [at, timer] of timers.entries()) if (at % 2 === 0) timer.cancel();
  await later(1_000);
  assertEquals(fired, 5_000);
});
