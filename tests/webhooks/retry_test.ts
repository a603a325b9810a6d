import { assert, assertEquals } from "@std/assert";
import { askedDelayMs, retryDelayMs } from "../../lib/webhooks/attempt.ts";
import { nowMs } from "../alerts/alerting.ts";

const hourMs = 3_600_000;

for (
  const [header, expected] of [
    [null, undefined],
    ["", undefined],
    ["0", undefined],
    ["120", 120_000],
    [" 120 ", 120_000],
    ["-5", undefined],
    ["soon", undefined],
    ["Sat, 21 Nov 2026 08:41:15 GMT", 60_000],
    ["Sat, 21 Nov 2026 08:39:15 GMT", undefined],
  ] as const
) {
  Deno.test(`askedDelayMs reads retry-after ${header}`, () =>
    assertEquals(askedDelayMs(header, nowMs), expected));
}

Deno.test("retryDelayMs tries ten times within four days, and spreads what failed together", () => {
  const all = (random: () => number) => {
    const delays: number[] = [];
    for (let attempts = 1;; attempts++) {
      const delayMs = retryDelayMs(attempts, { random });
      if (delayMs === undefined) return delays;
      delays.push(delayMs);
    }
  };
  const [shortest, longest] = [all(() => 0), all(() => 1)];
  assertEquals(shortest.length, 9);
  assertEquals(shortest, shortest.toSorted((a, b) => a - b));
  const hours = (delays: readonly number[]) => delays.reduce((sum, one) => sum + one) / hourMs;
  assert(hours(shortest) > 72 && hours(longest) < 96);
  assert(shortest.every((delayMs, at) => delayMs * 1.2 === longest[at]));
});

Deno.test("retryDelayMs waits as long as it is asked to, but no longer than a day", () => {
  const asked = (askedMs: number) => retryDelayMs(1, { random: () => 0, askedMs });
  assertEquals([1_000, hourMs, 1_000 * hourMs].map(asked), [5_000, hourMs, 24 * hourMs]);
});
