import type { CostLine, RequestLogRow } from "../../store/log/mod.ts";

/** A line of a cost, with its price per unit. */
export interface RatedLine extends CostLine {
  /** Nano-dollars for `per` units, including the group's ratio; rounded like the line. */
  readonly rateNanoUsd: bigint;
  readonly per: number;
}

/** The composition of a charge: the sum of the lines, minus the uncovered part. */
interface CostAccount {
  readonly lines: readonly RatedLine[];
  readonly sumNanoUsd: bigint;
  readonly uncoveredNanoUsd: bigint;
  readonly chargedNanoUsd: bigint;
  /** The part of the charge that no line explains; zero except for rows without lines. */
  readonly restNanoUsd: bigint;
}

const perTokens = 1_000_000;

/** Returns undefined for an unknown charge. Never prices again: all amounts come from the row. */
export function costAccount(
  { costNanoUsd, costLines = [], uncoveredNanoUsd = 0n }: RequestLogRow,
): CostAccount | undefined {
  if (costNanoUsd === undefined) return undefined;
  const lines = costLines.filter(({ nanoUsd }) => nanoUsd > 0n).map(rated);
  const sumNanoUsd = lines.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n);
  const restNanoUsd = costNanoUsd + uncoveredNanoUsd - sumNanoUsd;
  return { lines, sumNanoUsd, uncoveredNanoUsd, chargedNanoUsd: costNanoUsd, restNanoUsd };
}

function rated(line: CostLine): RatedLine {
  const per = line.bucket.endsWith("Tokens") ? perTokens : 1;
  const quantity = BigInt(Math.max(1, Math.round(line.quantity)));
  return { ...line, per, rateNanoUsd: (line.nanoUsd * BigInt(per) + quantity / 2n) / quantity };
}
