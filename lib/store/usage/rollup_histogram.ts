/**
 * The upper bounds of the duration buckets, in milliseconds: ten for each power of ten from 10 ms
 * to 1,000 s, each about a quarter above the previous one (Renard's series R10, ISO 3). One more
 * bucket holds longer durations.
 */
export const durationBoundsMs: readonly number[] = [10, 100, 1_000, 10_000, 100_000]
  .flatMap((decade) =>
    [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8].map((step) => Math.round(step * decade))
  )
  .concat(1_000_000);

/** The number of durations in each bucket; missing buckets are empty. */
export type Histogram = readonly number[];

/** The bucket of a duration: the first whose bound is not below it. */
export function bucketOf(durationMs: number): number {
  let [low, high] = [0, durationBoundsMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (durationMs <= durationBoundsMs[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The percentile of a histogram in milliseconds: `share` is 0.95 for p95. Interpolates linearly
 * within the bucket. Undefined without calls.
 */
export function percentile(histogram: Histogram, share: number): number | undefined {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = Math.min(Math.max(share, 0), 1) * total;
  let below = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count > 0 && below + count >= wanted) return within(bucket, (wanted - below) / count);
    below += count;
  }
  return durationBoundsMs.at(-1);
}

/** Durations beyond the last bound count as the bound itself. */
function within(bucket: number, share: number): number {
  const lower = bucket === 0 ? 0 : durationBoundsMs[bucket - 1];
  const upper = durationBoundsMs[bucket] ?? lower;
  return lower + (upper - lower) * share;
}

export function addHistograms(a: Histogram, b: Histogram): Histogram {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, bucket) => (a[bucket] ?? 0) + (b[bucket] ?? 0));
}
