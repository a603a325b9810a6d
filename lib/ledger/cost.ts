import {
  boundedCount,
  boundedUsage,
  type SamplingUsage,
  tokenBuckets,
  totalInputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { CostLine } from "../store/log/mod.ts";
import { type Price, ratesFor } from "./price.ts";
import { dividedHalfUp, ratioOf, ratioUnit } from "./price_amount.ts";

/** The cost of a call, itemised. */
export interface Cost {
  /** The exact sum of the lines. */
  readonly nanoUsd: bigint;
  /** Lines with an amount above zero. */
  readonly lines: readonly PricedLine[];
  /** Unpriced tiers and regions that served the call, charged at the highest known rates. */
  readonly unpriced?: readonly string[];
}

/**
 * One bucket's part: `nanoUsd` is `quantity` × `rateNanoUsd` / `per` × the group's ratio. For
 * example, input tokens at $3.00 per million have the rate 3,000,000,000.
 */
interface PricedLine extends CostLine {
  /** A bucket of usage, `request`, or `hosted-tool:` and the tool's kind. */
  readonly bucket: string;
  /** Before the group's ratio. */
  readonly rateNanoUsd: bigint;
  readonly per: number;
}

/** Looks up the price of another model that contributed to the answer. */
export type PriceOf = (model: string) => Price | undefined;

/** The quantity that each kind of rate is stated for. */
const units = { tokens: 1_000_000, hostedToolCalls: 1_000, requests: 1 } as const;

/**
 * The charge for one answered call: the sum of its lines, each rounded half up to a nano-dollar.
 * Invalid counts become 0 and counts are capped at one billion, so the cost is finite and never
 * negative. Each sampling is charged separately; one by an unpriced model costs as much as the
 * requested model.
 */
export function costOf(
  usage: Usage,
  price: Price,
  priceRatio: number,
  priceOf: PriceOf = () => undefined,
): Cost {
  const used = boundedUsage(usage);
  const sampled = (used.samplings ?? [{ tokens: used }]).map((sampling) => {
    const { model } = sampling;
    const own = (model === undefined ? undefined : priceOf(model)) ?? price;
    return tokenLines(sampling, own, used);
  });
  const lines = pricedLines(
    [
      ...sampled.flatMap((one) => one.lines),
      ...callLines(used, price),
    ].filter(({ rateNanoUsd }) => rateNanoUsd > 0n),
    ratioOf(priceRatio),
  );
  const unpriced = [...new Set(sampled.flatMap((one) => one.unpriced ?? []))];
  return {
    nanoUsd: lines.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n),
    lines,
    ...(unpriced.length > 0 && { unpriced }),
  };
}

type UnpricedLine = Omit<PricedLine, "nanoUsd">;

function tokenLines({ purpose, model, tokens }: SamplingUsage, price: Price, usage: Usage) {
  const served = { tier: usage.servedTier, region: usage.servedRegion };
  const { rates, tier, unpriced } = ratesFor(price, totalInputTokens(tokens), served);
  const part = purpose ?? model;
  const used = tokenBuckets.filter((bucket) => tokens[bucket] > 0);
  const lines = used.map((bucket): UnpricedLine => ({
    bucket,
    quantity: tokens[bucket],
    rateNanoUsd: rates[bucket],
    per: units.tokens,
    ...(tier !== undefined && { tier }),
    ...(part !== undefined && { part }),
  }));
  return { lines, unpriced };
}

/** Lines for the call itself and its hosted tools, at the same price in every tier. */
function callLines({ hostedToolCalls }: Usage, price: Price): UnpricedLine[] {
  return [
    ...Object.entries(price.hostedTools).map(([kind, rateNanoUsd]) => ({
      bucket: `hosted-tool:${kind}`,
      quantity: boundedCount(hostedToolCalls[kind] ?? 0),
      rateNanoUsd,
      per: units.hostedToolCalls,
    })),
    { bucket: "request", quantity: 1, rateNanoUsd: price.requestNanoUsd, per: units.requests },
  ];
}

function pricedLines(lines: readonly UnpricedLine[], ratio: bigint): PricedLine[] {
  return lines.map((line) => ({ ...line, nanoUsd: amountOf(line, ratio) }))
    .filter(({ nanoUsd }) => nanoUsd > 0n);
}

function amountOf({ quantity, rateNanoUsd, per }: UnpricedLine, ratio: bigint) {
  return dividedHalfUp(BigInt(quantity) * rateNanoUsd * ratio, BigInt(per) * ratioUnit);
}
