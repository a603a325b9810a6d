import { type JsonObject, serviceTierOf } from "../../canonical/mod.ts";
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
