import type { Caller } from "../accounts/authorize.ts";
import { standardTier } from "../canonical/mod.ts";
import { allowsUnpriced } from "../store/catalog/mod.ts";
import type { TermsAtUpstream } from "../upstreams/price_terms.ts";
import { isBoundByMoney } from "./limit_requests.ts";
import type { PriceOf } from "./cost.ts";
import type { CallBounds } from "./cost_bound.ts";
import { type Price, ratesFor } from "./price.ts";
import { tierRefusal } from "./refusal.ts";

/** The terms that a call asks for beside its tokens, and the prices to judge them by. */
interface AskedTerms {
  readonly model: string;
  readonly price: Price;
  readonly terms: TermsAtUpstream;
  readonly priceOf: PriceOf;
}

/**
 * How a call may be served, for its upper bound. Throws `tier_unpriced` where money bounds the caller
 * and the call names a tier, a region or a model whose price nobody has set.
 */
export function boundTerms(
  caller: Caller,
  { model, price, terms, priceOf }: AskedTerms,
): Pick<CallBounds, "served" | "samplings" | "others"> {
  const { samplings, fallbacks = [], served } = terms;
  const others = fallbacks.map(priceOf);
  if (isBoundByMoney(caller) && !allowsUnpriced(caller.group, true)) {
    assertPriced(model, price, terms);
    const unpriced = fallbacks.find((_, at) => others[at] === undefined);
    if (unpriced !== undefined) throw tierRefusal(model, { fallback: unpriced });
  }
  return {
    served,
    ...(samplings !== undefined && { samplings }),
    others: others.filter((other) => other !== undefined),
  };
}

function assertPriced(
  model: string,
  price: Price,
  { named: { tier, region }, anyFallback }: TermsAtUpstream,
): void {
  const isStandard = tier === undefined || tier === standardTier;
  if (!isStandard && !price.serviceTiers.has(tier)) throw tierRefusal(model, { tier });
  if (ratesFor(price, 0, { region }).unpriced !== undefined) throw tierRefusal(model, { region });
  if (anyFallback) throw tierRefusal(model, {});
}
