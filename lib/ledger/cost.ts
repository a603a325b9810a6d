import {
  boundedCount,
  boundedUsage,
  tokenBuckets,
  totalInputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { CostLine } from "../store/mod.ts";
import { type Price, ratesFor } from "./price.ts";
import { dividedHalfUp, ratioOf, ratioUnit } from "./price_amount.ts";

/** What a call costs, and why. */
export interface Cost {
  /** The exact sum of the lines. */
  readonly nanoUsd: bigint;
  /** Only what costs something. */
  readonly lines: readonly PricedLine[];
}

/**
 * One bucket's part: `quantity` at `rateNanoUsd` for each `per` of them, times the group's ratio, is
 * `nanoUsd`. So 1,234 input tokens at $3.00 per million have the rate 3,000,000,000.
 */
export interface PricedLine extends CostLine {
  /** A bucket of usage, `request`, or `hosted-tool:` and the tool's kind. */
  readonly bucket: string;
  /** Before the group's ratio. */
  readonly rateNanoUsd: bigint;
  readonly per: number;
}

/** How many of a thing its rate is for. */
const units = { tokens: 1_000_000, hostedToolCalls: 1_000, requests: 1 } as const;

/**
 * The charge for one call that was answered. Each line is rounded half up to a nano-dollar, and the
 * sum is that of the rounded lines. A count that is no count is 0, one that no call can reach a
 * billion; so the cost is never negative and always finite.
 */
export function costOf(usage: Usage, price: Price, priceRatio: number): Cost {
  const used = boundedUsage(usage);
  const rates = ratesFor(price, totalInputTokens(used));
  const lines = pricedLines([
    ...tokenBuckets.map((bucket) => ({
      bucket,
      quantity: used[bucket],
      rateNanoUsd: rates[bucket],
      per: units.tokens,
    })),
    ...Object.entries(price.hostedTools).map(([kind, rateNanoUsd]) => ({
      bucket: `hosted-tool:${kind}`,
      quantity: boundedCount(used.hostedToolCalls[kind] ?? 0),
      rateNanoUsd,
      per: units.hostedToolCalls,
    })),
    { bucket: "request", quantity: 1, rateNanoUsd: price.requestNanoUsd, per: units.requests },
  ], ratioOf(priceRatio));
  return { nanoUsd: lines.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n), lines };
}

function pricedLines(
  lines: readonly Omit<PricedLine, "nanoUsd">[],
  ratio: bigint,
): PricedLine[] {
  return lines.map((line) => ({ ...line, nanoUsd: amountOf(line, ratio) }))
    .filter(({ nanoUsd }) => nanoUsd > 0n);
}

function amountOf({ quantity, rateNanoUsd, per }: Omit<PricedLine, "nanoUsd">, ratio: bigint) {
  return dividedHalfUp(BigInt(quantity) * rateNanoUsd * ratio, BigInt(per) * ratioUnit);
}
