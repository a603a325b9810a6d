import type { CostLine, RequestLogRow } from "../../store/log/mod.ts";

/** One part of a cost and what one unit of it came to. */
export interface RatedLine extends CostLine {
  /** Nano-dollars for `per` of them, the group's ratio included; rounded as the line is. */
  readonly rateNanoUsd: bigint;
  readonly per: number;
}

/** The composition of a charge: the lines make up `sumNanoUsd`, and what was not covered is taken off. */
interface CostAccount {
  readonly lines: readonly RatedLine[];
  readonly sumNanoUsd: bigint;
  readonly uncoveredNanoUsd: bigint;
  readonly chargedNanoUsd: bigint;
  /** The part of the charge that no line explains; zero except for rows without lines. */
  readonly restNanoUsd: bigint;
}

const perTokens = 1_000_000;

/** Undefined where nothing is known of a charge. Nothing is priced again: all amounts are the row's. */
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
