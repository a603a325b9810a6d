import { isJsonObject, type Usage } from "../canonical/mod.ts";
import type { CostTerms } from "../store/catalog/mod.ts";
import type { OperatorCost, RequestLogRow } from "../store/log/mod.ts";
import { type Cost, costOf } from "./cost.ts";
import { dividedHalfUp, nanoUsdOf, type Price } from "./price.ts";
import type { Prices } from "./prices.ts";

/** The charge of a row's usage, and the terms of its upstream. */
interface Charged {
  readonly price?: Price;
  readonly cost?: Cost;
  readonly priceRatio: number;
  readonly terms?: CostTerms;
  readonly upstreamPriceFor?: Prices["upstreamPriceFor"];
}

/**
 * The cost of a row's usage for the operator: stated by the upstream, or priced by its terms.
 * Undefined if it equals the caller's cost, or is unknown.
 */
export function upstreamCostOf(
  { usage, model, upstreamModel = model, atMs }: RequestLogRow,
  { price, cost, priceRatio, terms, upstreamPriceFor }: Charged,
): OperatorCost | undefined {
  if (!usage) return undefined;
  const stated = statedNanoUsd(usage);
  if (stated !== undefined) return { nanoUsd: stated, isStated: true };
  const priceOf = (name: string, upstreamName = name) =>
    upstreamPriceFor?.({ model: name, upstreamModel: upstreamName }, atMs, terms);
  const own = priceOf(model, upstreamModel);
  if (!own || (own === price && priceRatio === 1)) return undefined;
  const { nanoUsd } = costOf(usage, own, 1, priceOf);
  return nanoUsd === (cost?.nanoUsd ?? 0n) ? undefined : { nanoUsd };
}

/** An xAI upstream's unit of money: ten to a nano-dollar. */
const ticksPerNanoUsd = 10n;
/** A higher price of one call, a million dollars, is an upstream's mistake. */
const statedUsdMax = 1_000_000;

/**
 * The price in nano-dollars that an upstream states beside its counts: xAI in ticks; OpenRouter in
 * dollars, without what another vendor bills for a key of the operator's own (2026-11). Undefined for
 * a usage without one.
 */
export function statedNanoUsd({ native }: Pick<Usage, "native">): bigint | undefined {
  if (!native) return undefined;
  const { cost_in_usd_ticks: ticks, cost, is_byok: isOwnKey, cost_details: details } =
    native.fields;
  if (isAmount(ticks, statedUsdMax * 1e10)) {
    return dividedHalfUp(BigInt(Math.round(ticks)), ticksPerNanoUsd);
  }
  if (!isAmount(cost, statedUsdMax)) return undefined;
  if (isOwnKey !== true) return nanoUsdOf(cost);
  const other = isJsonObject(details) ? details.upstream_inference_cost : undefined;
  return nanoUsdOf(cost) + (isAmount(other, statedUsdMax) ? nanoUsdOf(other) : 0n);
}

function isAmount(value: unknown, max: number): value is number {
  return typeof value === "number" && value >= 0 && value <= max;
}
