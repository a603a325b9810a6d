import { type JsonObject, serviceTierOf, type TokenBucket } from "../canonical/mod.ts";

/** The members of a request that change its price, apart from its length. */
export interface PriceTerms {
  /** The requested service tier, by its canonical name; absent if the upstream may choose. */
  readonly tier?: string;
  /** The requested region; absent if the upstream may choose. */
  readonly region?: string;
  /** Maximum number of billed samplings of prompt and answer; default: 1. */
  readonly samplings?: number;
  /** Other models that may answer instead of the requested one. */
  readonly fallbacks?: readonly string[];
  /** True if the upstream may choose a fallback model that the request does not name. */
  readonly anyFallback?: boolean;
}

/** The vendor's billing apart from tokens, requested or by default. */
export interface Billing {
  /** Reads the terms from a request's body, without a schema. */
  terms(body: JsonObject): PriceTerms;
  /** The top-level members that `terms` reads. */
  readonly members: readonly string[];
  /** Tiers that a request converted to this format can still name. */
  readonly tiers: readonly string[];
  /** Tiers other than the standard one in which an upstream may serve a call that names none. */
  readonly unaskedTiers: readonly string[];
  /** True if an upstream may choose the region of a call that names none. */
  readonly unaskedRegion: boolean;
  /** Buckets that an upstream may fill although the request does not cause it. */
  readonly fills: readonly TokenBucket[];
  /** Further buckets for a request converted to this format, since the conversion sets cache breakpoints. */
  readonly fillsWhenConverted: readonly TokenBucket[];
}

/**
 * The billing of OpenAI's formats. A project's setting may serve calls that name no tier as
 * priority calls; prompts are cached by default.
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
