import { serviceTierOf } from "../../canonical/mod.ts";
import type { Billing } from "../billing.ts";

/** A project's setting may serve calls that name no tier as fast ones; prompts are cached unasked. */
export const billing: Billing = {
  terms({ service_tier: word }) {
    const tier = serviceTierOf(word);
    return tier === undefined ? {} : { tier };
  },
  members: ["service_tier"],
  tiers: ["standard", "flex", "reserved", "fast"],
  unaskedTiers: ["fast"],
  unaskedRegion: false,
  fills: ["cacheWrite5mTokens"],
};
