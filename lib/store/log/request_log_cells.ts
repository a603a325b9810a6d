import {
  type LimitState,
  noUsage,
  type TokenBucket,
  tokenBuckets,
  type Usage,
} from "../../canonical/mod.ts";
import type { CostLine, OperatorCost } from "./request_log_row.ts";

/** The part of a cost line that rows of one shape share. */
export type LineKind = readonly [bucket: string, tier?: string | null, part?: string];
type LineAmount = readonly [quantity: number, nanoUsd: string, savedNanoUsd?: string];

type PackedUsage = readonly [Usage["hostedToolCalls"], ...(number | PackedServed)[]];
/** The last cell, if the answer stated its service tier or region. */
type PackedServed = Pick<Usage, "servedTier" | "servedRegion">;
type PackedLimit =
  & Omit<LimitState, "limit" | "remaining">
  & { readonly limit?: string; readonly remaining: string };

/** The shared part of a cost line, as cells. */
export function lineKind({ bucket, tier, part }: CostLine): LineKind {
  if (part !== undefined) return [bucket, tier ?? null, part];
  return tier === undefined ? [bucket] : [bucket, tier];
}

/** A cost line's amounts, as cells: JSON has no integers of that size. */
export function lineAmount({ quantity, nanoUsd, savedNanoUsd }: CostLine): LineAmount {
  const amount = String(nanoUsd);
  return savedNanoUsd === undefined ? [quantity, amount] : [quantity, amount, String(savedNanoUsd)];
}

/** Joins both parts of cost lines. */
export function unpackCostLines(
  amounts: readonly LineAmount[],
  { costLineKinds = [] }: { readonly costLineKinds?: readonly LineKind[] },
): CostLine[] {
  return costLineKinds.map(([bucket, tier, part], at) => {
    const [quantity, nanoUsd, savedNanoUsd] = amounts[at];
    return {
      bucket,
      quantity,
      nanoUsd: BigInt(nanoUsd),
      ...(savedNanoUsd !== undefined && { savedNanoUsd: BigInt(savedNanoUsd) }),
      ...(tier && { tier }),
      ...(part && { part }),
    };
  });
}

export function packAmount(amount: bigint | undefined): string | undefined {
  return amount === undefined ? undefined : String(amount);
}

/** An amount that the upstream stated, as `=123`. */
export function packUpstreamCost({ nanoUsd, isStated }: OperatorCost): string {
  return isStated ? `=${nanoUsd}` : String(nanoUsd);
}

export function unpackUpstreamCost(text: string): OperatorCost {
  return text.startsWith("=")
    ? { nanoUsd: BigInt(text.slice(1)), isStated: true }
    : { nanoUsd: BigInt(text) };
}

export function packLimit({ limit, remaining, ...rest }: LimitState): PackedLimit {
  return {
    ...rest,
    remaining: String(remaining),
    ...(limit !== undefined && { limit: String(limit) }),
  };
}

export function unpackLimit({ limit, remaining, ...rest }: PackedLimit): LimitState {
  return {
    ...rest,
    remaining: BigInt(remaining),
    ...(limit !== undefined && { limit: BigInt(limit) }),
  };
}

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

export function unpackUsage([hostedToolCalls, ...cells]: PackedUsage): Usage {
  const counts = cells.filter((cell) => typeof cell === "number");
  const served = cells.find((cell) => typeof cell !== "number");
  const used: Partial<Record<TokenBucket, number>> = {};
  for (const [at, bucket] of tokenBuckets.entries()) used[bucket] = counts[at] ?? 0;
  return { ...noUsage, ...used, hostedToolCalls, ...served };
}
