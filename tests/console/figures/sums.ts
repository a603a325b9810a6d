import type { RequestLogRow } from "../../../lib/store/log/mod.ts";

/** Sums of rows, added up one by one without the product's own sums. */
export interface RowSums {
  readonly calls: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly costNanoUsd: bigint;
  readonly upstreamNanoUsd: bigint;
}

export const noSums: RowSums = {
  ...{ calls: 0, failed: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
  ...{ costNanoUsd: 0n, upstreamNanoUsd: 0n },
};

/** Outcomes without an answer for a caller who waited. */
const failed = new Set(["truncated", "upstream_error", "timeout", "refused"]);

export function sumOf(rows: readonly RequestLogRow[]): RowSums {
  return rows.reduce((sum, row) => {
    const { usage, costNanoUsd = 0n, uncoveredNanoUsd = 0n, upstreamCost } = row;
    const cached = usage?.cacheReadTokens ?? 0;
    return {
      calls: sum.calls + 1,
      failed: sum.failed + (failed.has(row.outcome) ? 1 : 0),
      cachedTokens: sum.cachedTokens + cached,
      inputTokens: sum.inputTokens + cached +
        (usage ? usage.inputTokens + usage.cacheWrite5mTokens : 0),
      outputTokens: sum.outputTokens + (usage ? usage.outputTokens + usage.reasoningTokens : 0),
      costNanoUsd: sum.costNanoUsd + costNanoUsd,
      upstreamNanoUsd: sum.upstreamNanoUsd +
        (upstreamCost ? upstreamCost.nanoUsd : costNanoUsd + uncoveredNanoUsd),
    };
  }, noSums);
}

/** The sums of each value; rows without one are those of `undefined`. */
export function sumsBy<Value>(
  rows: readonly RequestLogRow[],
  valueOf: (row: RequestLogRow) => Value,
): ReadonlyMap<Value, RowSums> {
  return new Map([...Map.groupBy(rows, valueOf)].map(([value, own]) => [value, sumOf(own)]));
}
