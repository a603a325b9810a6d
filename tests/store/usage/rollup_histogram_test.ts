import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { durationBoundsMs, percentile } from "../../../lib/store/usage/mod.ts";
import { bucketOf } from "../../../lib/store/usage/rollup_counts.ts";

function histogramOf(durations: readonly number[]): number[] {
  const histogram = Array.from({ length: durationBoundsMs.length + 1 }, () => 0);
  for (const duration of durations) histogram[bucketOf(duration)]++;
  return histogram;
}

Deno.test("durationBoundsMs grow by about a quarter each, to more than a quarter of an hour", () => {
  assertEquals(durationBoundsMs[0], 10);
  assertEquals(durationBoundsMs.at(-1), 1_000_000);
  for (const [at, bound] of durationBoundsMs.slice(1).entries()) {
    const ratio = bound / durationBoundsMs[at];
    assert(ratio > 1.18 && ratio < 1.34, `${bound} after ${durationBoundsMs[at]}`);
  }
});

Deno.test("bucketOf gives the first bucket whose bound a duration does not pass", () => {
  for (const [duration, bound] of [[0, 10], [10, 10], [11, 13], [1_000, 1_000], [1_001, 1_250]]) {
    assertEquals(durationBoundsMs[bucketOf(duration)], bound, String(duration));
  }
  for (const duration of [1_000_001, Infinity, NaN]) {
    assertEquals(bucketOf(duration), durationBoundsMs.length);
  }
});

Deno.test("percentile of nothing is nothing", () => {
  assertEquals(percentile([], 0.5), undefined);
  assertEquals(percentile([0, 0], 0.5), undefined);
});

Deno.test("percentile stays within its bucket and never falls as the share grows", () => {
  const durations = fc.array(fc.integer({ min: 0, max: 999_999 }), { minLength: 1 });
  const share = fc.double({ min: 0.001, max: 1, noNaN: true });
  fc.assert(fc.property(durations, share, share, (all, one, other) => {
    const sorted = all.toSorted((a, b) => a - b);
    const exact = sorted[Math.ceil(one * sorted.length) - 1];
    const found = percentile(histogramOf(all), one) ?? NaN;
    const bucket = bucketOf(exact);
    assert(found <= durationBoundsMs[bucket] && found >= (durationBoundsMs[bucket - 1] ?? 0));
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    assert((percentile(histogramOf(all), low) ?? 0) <= (percentile(histogramOf(all), high) ?? 0));
  }));
});

Deno.test("percentile of what no bound holds is the last bound", () => {
  assertEquals(percentile(histogramOf([5_000_000]), 0.5), 1_000_000);
});
