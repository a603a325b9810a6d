import { noUsage, type TokenBucket, tokenBuckets, type Usage } from "../../canonical/mod.ts";

/** A usage as cells of a logged row. */
type PackedUsage = readonly [Usage["hostedToolCalls"], ...(number | PackedServed)[]];
/** The last cell, if the answer stated its service tier or region. */
type PackedServed = Pick<Usage, "servedTier" | "servedRegion">;

/** Leaves out `native` and `samplings`: they are for the answer, and the cost's lines state each sampling. */
export function packUsage(usage: Usage): PackedUsage {
  const { servedTier, servedRegion } = usage;
  const cells: [Usage["hostedToolCalls"], ...(number | PackedServed)[]] = [usage.hostedToolCalls];
  for (const bucket of tokenBuckets) cells.push(usage[bucket]);
  if (servedTier !== undefined || servedRegion !== undefined) {
    cells.push({
      ...(servedTier !== undefined && { servedTier }),
      ...(servedRegion !== undefined && { servedRegion }),
    });
  }
  return cells;
}

/** The usage of these cells. */
export function unpackUsage([hostedToolCalls, ...cells]: PackedUsage): Usage {
  const counts = cells.filter((cell) => typeof cell === "number");
  const served = cells.find((cell) => typeof cell !== "number");
  const used: Partial<Record<TokenBucket, number>> = {};
  for (const [at, bucket] of tokenBuckets.entries()) used[bucket] = counts[at] ?? 0;
  return { ...noUsage, ...used, hostedToolCalls, ...served };
}
