import type { TokenBucket } from "../canonical/mod.ts";
import type { Billing, PriceTerms } from "../formats/billing.ts";
import { codecs } from "../formats/mod.ts";
import type { Decoded } from "../http/decode.ts";
import { priceRegion } from "./surfaces/mod.ts";
import type { Candidate } from "./upstream.ts";

/** The terms of a call that reach an upstream, and how it may be served there. */
interface TermsAtUpstream extends Omit<PriceTerms, "tier" | "region"> {
  /** The tier and the region that the request names there. */
  readonly named: Pick<PriceTerms, "tier" | "region">;
  /** Every tier and region that the call may be served in. */
  readonly served: readonly Pick<PriceTerms, "tier" | "region">[];
  /** Buckets that the upstream may fill although the request does not ask for it. */
  readonly fills: readonly TokenBucket[];
}

/** An unknown region: the highest rates of a price apply. */
const anyRegion = "*";

/**
 * A request of another format keeps only the tiers that the upstream's format can name. The region of
 * a cloud is that of its endpoint.
 */
export function termsAt(candidate: Candidate, decoded: Decoded): TermsAtUpstream {
  const terms = askedTerms(candidate, decoded);
  const region = priceRegionOf(candidate);
  if (region === undefined) return terms;
  return { ...terms, served: terms.served.map((served) => ({ ...served, region })) };
}

/** The region of a cloud that a call's price depends on; only Claude's prices have regions (2026-11). */
export function priceRegionOf({ format, upstream, upstreamModel }: Candidate): string | undefined {
  return upstream.cloud && format === "messages" ? priceRegion(upstream, upstreamModel) : undefined;
}

function askedTerms(
  { format, upstream }: Candidate,
  { terms = {}, format: from }: Decoded,
): TermsAtUpstream {
  if (!format || !from) return unboundTerms;
  const { billing } = codecs[format];
  const kept = format === from ? terms : keptTerms(terms, billing.tiers);
  const fillsMore = format !== from && upstream.automaticCaching !== false;
  if (Object.keys(kept).length > 0) return termsFor(billing, kept, fillsMore);
  const known = unaskedTerms[fillsMore ? "converted" : "native"];
  return known.getOrInsertComputed(billing, () => termsFor(billing, {}, fillsMore));
}

const unboundTerms: TermsAtUpstream = { named: {}, served: [{}], fills: [] };

/** Kept, because most calls name no terms. */
const unaskedTerms = {
  native: new WeakMap<Billing, TermsAtUpstream>(),
  converted: new WeakMap<Billing, TermsAtUpstream>(),
};

function termsFor(
  billing: Billing,
  { tier, region, ...others }: PriceTerms,
  fillsMore: boolean,
): TermsAtUpstream {
  const tiers = tier === undefined ? [undefined, ...billing.unaskedTiers] : [undefined, tier];
  const regions = region !== undefined
    ? [region]
    : billing.unaskedRegion
    ? [undefined, anyRegion]
    : [undefined];
  return {
    ...others,
    named: { ...(tier !== undefined && { tier }), ...(region !== undefined && { region }) },
    served: tiers.flatMap((tier) =>
      regions.map((region) => ({
        ...(tier !== undefined && { tier }),
        ...(region !== undefined && { region }),
      }))
    ),
    fills: fillsMore ? [...billing.fills, ...billing.fillsWhenConverted] : billing.fills,
  };
}

function keptTerms({ tier }: PriceTerms, tiers: readonly string[]): PriceTerms {
  return tier !== undefined && tiers.includes(tier) ? { tier } : {};
}
