import { durationBoundsMs, type Histogram } from "../../store/usage/mod.ts";

/** The mean of a histogram, estimated by the middle of each bucket; undefined for an empty one. */
export function meanMs(histogram: Histogram): number | undefined {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  return histogram.reduce((sum, count, bucket) => sum + count * middleOf(bucket), 0) / total;
}

function middleOf(bucket: number): number {
  const lower = bucket === 0 ? 0 : durationBoundsMs[bucket - 1];
  return (lower + (durationBoundsMs[bucket] ?? lower)) / 2;
}
