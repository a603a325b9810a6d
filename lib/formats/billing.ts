import { type JsonObject, serviceTierOf, type TokenBucket } from "../canonical/mod.ts";

/** The members of a request that change its price, beside its length. */
export interface PriceTerms {
  /** The service tier it names, by its canonical name; absent where it leaves that to the upstream. */
  readonly tier?: string;
  /** The region it names; absent where it leaves that to the upstream. */
  readonly region?: string;
  /** How often prompt and answer may be sampled and billed at most; absent: once. */
  readonly samplings?: number;
  /** Other models that may answer in place of the one that was asked. */
  readonly fallbacks?: readonly string[];
  /** Whether the upstream may choose a fallback model that the request does not name. */
  readonly anyFallback?: boolean;
}

/** How a format's vendor bills beyond tokens: what a request may ask for, and what is done unasked. */
export interface Billing {
  /** Reads them off a request's body without a schema. */
  terms(body: JsonObject): PriceTerms;
  /** The top-level members that `terms` reads. */
  readonly members: readonly string[];
  /** Tiers that a request converted to this format can still name. */
  readonly tiers: readonly string[];
  /** Tiers that an upstream may serve a call in that names none, beside the standard one. */
  readonly unaskedTiers: readonly string[];
  /** Whether an upstream may bind a call that names no region to one. */
  readonly unaskedRegion: boolean;
  /** Buckets that an upstream may fill although the request does not ask for it. */
  readonly fills: readonly TokenBucket[];
  /** Further ones that a request converted to this format may fill, since the conversion sets cache breakpoints. */
  readonly fillsWhenConverted: readonly TokenBucket[];
}

/**
 * The billing of OpenAI's formats. A project's setting may serve calls that name no tier as fast
 * ones; prompts are cached unasked.
 */
export function openAiBilling(tiers: readonly string[]): Billing {
  return {
    terms({ service_tier: word }) {
      const tier = serviceTierOf(word);
      return tier === undefined ? {} : { tier };
    },
    members: ["service_tier"],
    tiers,
    unaskedTiers: ["fast"],
    unaskedRegion: false,
    fills: ["cacheWrite5mTokens"],
    fillsWhenConverted: [],
  };
}
