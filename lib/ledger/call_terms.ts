import type { Caller } from "../accounts/authorize.ts";
import { standardTier, type TokenBucket } from "../canonical/mod.ts";
import { allowsUnpriced } from "../store/catalog/mod.ts";
import type { PriceOf } from "./cost.ts";
import type { CallBounds } from "./cost_bound.ts";
import { isBoundByMoney } from "./limit_requests.ts";
import { type Price, ratesFor, type ServedTier } from "./price.ts";
import { tierRefusal } from "./refusal.ts";

/** The members of a call, apart from its tokens, that change its price at one upstream. */
export interface CallTerms {
  /** The tier and the region that the request names. */
  readonly named: ServedTier;
  /** Every tier and region in which the call may be served. */
  readonly served: readonly ServedTier[];
  /** Buckets that the upstream may fill although the request does not cause it. */
  readonly fills: readonly TokenBucket[];
  /** Maximum number of billed samplings; default: 1. */
  readonly samplings?: number;
  /** Other models that may answer. */
  readonly fallbacks?: readonly string[];
  /** True if the upstream may choose a fallback model that the request does not name. */
  readonly anyFallback?: boolean;
}

/** The tier, region and fallbacks that a call requests, and the prices to check them against. */
interface AskedTerms {
  readonly model: string;
  readonly price: Price;
  readonly terms: CallTerms;
  readonly priceOf: PriceOf;
}

/** The part of a call's bounds that its terms determine. */
export type TermBounds = Pick<CallBounds, "served" | "fills" | "samplings" | "others">;

/**
 * The tiers, samplings and fallback models for the upper bound of a call's cost. Throws
 * `tier_unpriced` if money limits the caller and a requested tier, region or model has no price.
 */
export function boundTerms(
  caller: Caller,
  { model, price, terms, priceOf }: AskedTerms,
): TermBounds {
  const { samplings, fallbacks, served, fills } = terms;
  const isStrict = isBoundByMoney(caller) && !allowsUnpriced(caller.group, true);
  if (isStrict) assertPriced(model, price, terms);
  if (!fallbacks) return terms;
  const others = fallbacks.map(priceOf);
  const unpriced = fallbacks.find((_, at) => others[at] === undefined);
  if (isStrict && unpriced !== undefined) throw tierRefusal(model, { fallback: unpriced });
  return { served, fills, samplings, others: others.filter((other) => other !== undefined) };
}

function assertPriced(
  model: string,
  price: Price,
  { named: { tier, region }, anyFallback }: CallTerms,
): void {
  const isStandard = tier === undefined || tier === standardTier;
  if (!isStandard && !price.serviceTiers.has(tier)) throw tierRefusal(model, { tier });
  if (region !== undefined && ratesFor(price, 0, { region }).unpriced !== undefined) {
    throw tierRefusal(model, { region });
  }
  if (anyFallback) throw tierRefusal(model, {});
}
