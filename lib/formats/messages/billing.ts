import { type JsonObject, regionOf, serviceTierOf } from "../../canonical/mod.ts";
import type { Billing, PriceTerms } from "../billing.ts";
import { noMembers, objectsOf, textOf } from "../wire_value.ts";
import { compactsByThreshold } from "./vendor_state.ts";

/**
 * `speed` requests a speed; `service_tier` names purchased capacity, and at some routers a tier. A
 * workspace's default may set the region of calls that name none.
 */
export const billing: Billing = {
  terms(body) {
    const speeds = [body.speed, ...objectsOf(body.fallbacks).map(({ speed }) => speed)];
    const tier = speeds.includes("fast") ? "fast" : serviceTierOf(body.service_tier);
    const region = regionOf(body.inference_geo);
    return {
      ...(tier !== undefined && { tier }),
      ...(region !== undefined && { region }),
      ...samplingTerms(body),
    };
  },
  members: ["speed", "service_tier", "inference_geo", "fallbacks", "context_management"],
  tiers: ["standard"],
  unaskedTiers: [],
  unaskedRegion: true,
  fills: [],
  fillsWhenConverted: ["cacheWrite5mTokens"],
};

/** A compaction samples the whole prompt once more, and so may each fallback after one that declined. */
function samplingTerms(body: JsonObject): PriceTerms {
  if (body.fallbacks === undefined && !compactsByThreshold(body)) return noMembers;
  const fallbacks = objectsOf(body.fallbacks).map(({ model }) => textOf(model))
    .filter((model) => model !== "");
  const anyFallback = typeof body.fallbacks === "string";
  const samplings = 1 + Number(compactsByThreshold(body)) + fallbacks.length + Number(anyFallback);
  return {
    ...(samplings > 1 && { samplings }),
    ...(fallbacks.length > 0 && { fallbacks }),
    ...(anyFallback && { anyFallback }),
  };
}
