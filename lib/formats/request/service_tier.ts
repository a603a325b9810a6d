import { type CanonicalRequest, type JsonObject, serviceTierOf } from "../../canonical/mod.ts";
import { textOrNothing } from "../wire_value.ts";

/** Returns true for a service tier that lets the upstream choose, as a request without one does. */
export function isUnnamedTier(word: unknown): boolean {
  return typeof word === "string" && serviceTierOf(word) === undefined;
}

/** The requested tier, by the vendor's word or, with a table, by the canonical one. */
export function decodeServiceTier(
  { service_tier: word }: JsonObject,
  canonical: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const tier = textOrNothing(word);
  if (tier === undefined || isUnnamedTier(tier)) return undefined;
  return canonical.get(tier) ?? tier;
}

/** The words of one vendor's two formats for the tiers of all formats. */
export const sharedTiers: ReadonlyMap<string, string> = new Map([
  ["default", "default"],
  ["standard", "default"],
  ["standard_only", "default"],
  ["flex", "flex"],
  ["scale", "scale"],
  ["priority", "priority"],
  ["fast", "fast"],
]);

/** The word for the requested tier; a caller of this format keeps its own. */
export function encodeServiceTier(
  { serviceTier: tier }: CanonicalRequest,
  { own, notes }: { readonly own: boolean; readonly notes: { add(id: "serviceTier"): void } },
  words = sharedTiers,
): string | undefined {
  if (own || tier === undefined) return tier;
  const known = words.get(tier);
  if (!known) notes.add("serviceTier");
  return known;
}
