import { type JsonValue, mayCostMore, serviceTierOf } from "../../canonical/mod.ts";
import type { Billing } from "../billing.ts";

/** Reads both spellings of proto3 JSON; if both are present, the more expensive one counts. */
export const billing: Billing = {
  terms({ serviceTier, service_tier }) {
    const named = [serviceTier, service_tier].map(nameOf).map(serviceTierOf)
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

/** A tier's number has no known name, and so no price: a call that states one is refused. */
function nameOf(tier: JsonValue | undefined): JsonValue | undefined {
  return typeof tier === "number" && tier !== 0 ? String(tier) : tier;
}
