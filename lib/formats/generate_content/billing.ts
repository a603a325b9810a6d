import { mayCostMore, serviceTierOf } from "../../canonical/mod.ts";
import type { Billing } from "../billing.ts";

/** Reads both spellings of proto3 JSON; if both are present, the more expensive one counts. */
export const billing: Billing = {
  terms({ serviceTier, service_tier }) {
    const named = [serviceTier, service_tier].map(serviceTierOf)
      .filter((tier) => tier !== undefined);
    const tier = named.find(mayCostMore) ?? named[0];
    return tier === undefined ? {} : { tier };
  },
  members: ["serviceTier", "service_tier"],
  tiers: ["standard", "flex", "fast"],
  unaskedTiers: [],
  unaskedRegion: false,
  fills: [],
  fillsWhenConverted: [],
};
