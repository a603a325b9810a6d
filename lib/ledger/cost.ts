import {
  boundedCount,
  boundedUsage,
  isCacheBucket,
  type SamplingUsage,
  tokenBuckets,
  totalInputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { CostLine } from "../store/log/mod.ts";
import { dividedHalfUp, type Price, ratesFor, ratioOf, ratioUnit } from "./price.ts";

/** The cost of a call, itemised. */
export interface Cost {
  /** The exact sum of the lines. */
  readonly nanoUsd: bigint;
  /** Lines with an amount above zero, and those of free cached tokens. */
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
  const ratio = ratioOf(priceRatio);
  const lines: PricedLine[] = [];
  let unpriced: Set<string> | undefined;
  for (const sampling of used.samplings ?? [{ tokens: used }]) {
    const { model } = sampling;
    const own = (model === undefined ? undefined : priceOf(model)) ?? price;
    const unpricedTerm = addTokenLines(lines, sampling, { price: own, usage: used, ratio });
    if (unpricedTerm !== undefined) (unpriced ??= new Set()).add(unpricedTerm);
  }
  addCallLines(lines, used, { price, ratio: price.ratio ?? ratio });
  let nanoUsd = 0n;
  for (const line of lines) nanoUsd += line.nanoUsd;
  return unpriced ? { nanoUsd, lines, unpriced: [...unpriced] } : { nanoUsd, lines };
}

/** Adds a line for each bucket. Returns the tier or region that has no price. */
function addTokenLines(
  lines: PricedLine[],
  { purpose, model, tokens }: SamplingUsage,
  { price, usage, ratio }: { readonly price: Price; readonly usage: Usage; readonly ratio: bigint },
): string | undefined {
  const served = { tier: usage.servedTier, region: usage.servedRegion };
  const { rates, tier, unpriced } = ratesFor(price, totalInputTokens(tokens), served);
  const part = purpose ?? model;
  for (const bucket of tokenBuckets) {
    const quantity = tokens[bucket];
    if (quantity === 0) continue;
    const uncachedNanoUsd = isCacheBucket(bucket) ? rates.inputTokens : undefined;
    addLine(
      lines,
      { bucket, quantity, rateNanoUsd: rates[bucket], per: units.tokens, tier, part },
      price.ratio ?? ratio,
      uncachedNanoUsd,
    );
  }
  return unpriced;
}

/** Adds lines for the call itself and its hosted tools, at the same price in every tier. */
function addCallLines(
  lines: PricedLine[],
  { hostedToolCalls }: Usage,
  { price, ratio }: { readonly price: Price; readonly ratio: bigint },
): void {
  const per = units.hostedToolCalls;
  for (const kind in price.hostedTools) {
    const quantity = boundedCount(hostedToolCalls[kind] ?? 0);
    const rateNanoUsd = price.hostedTools[kind];
    addLine(lines, { bucket: `hosted-tool:${kind}`, quantity, rateNanoUsd, per }, ratio);
  }
  const request = { quantity: 1, rateNanoUsd: price.requestNanoUsd, per: units.requests };
  addLine(lines, { bucket: "request", ...request }, ratio);
}

/**
 * Adds a line unless its amount is zero. One for cached tokens has their saving as well, from the
 * rate of tokens outside a cache; it may even be free.
 */
function addLine(
  lines: PricedLine[],
  { bucket, quantity, rateNanoUsd, per, tier, part }: Omit<PricedLine, "nanoUsd">,
  ratio: bigint,
  uncachedNanoUsd?: bigint,
): void {
  if (quantity === 0 || (rateNanoUsd === 0n && uncachedNanoUsd === undefined)) return;
  const nanoUsd = amountOf(quantity, rateNanoUsd, { per, ratio });
  const savedNanoUsd = uncachedNanoUsd === undefined
    ? 0n
    : amountOf(quantity, uncachedNanoUsd, { per, ratio }) - nanoUsd;
  if (nanoUsd <= 0n && savedNanoUsd === 0n) return;
  const paid = { bucket, quantity, rateNanoUsd, per, nanoUsd };
  const line = savedNanoUsd === 0n ? paid : { ...paid, savedNanoUsd };
  const isPlain = tier === undefined && part === undefined;
  lines.push(
    isPlain ? line : {
      ...line,
      ...(tier !== undefined && { tier }),
      ...(part !== undefined && { part }),
    },
  );
}

/** The amount of a line, rounded half up: in numbers where these are exact, as nearly always. */
function amountOf(
  quantity: number,
  rateNanoUsd: bigint,
  { per, ratio }: { readonly per: number; readonly ratio: bigint },
): bigint {
  const doubled = 2 * quantity * Number(rateNanoUsd) + per;
  if (ratio === ratioUnit && doubled <= Number.MAX_SAFE_INTEGER) {
    return BigInt(Math.floor(doubled / (2 * per)));
  }
  return dividedHalfUp(BigInt(quantity) * rateNanoUsd * ratio, BigInt(per) * ratioUnit);
}
