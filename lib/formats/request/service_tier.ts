import { type JsonObject, serviceTierOf } from "../../canonical/mod.ts";
import { textOrNothing } from "../wire_value.ts";

/** A word for a service tier that leaves it to the upstream, as a request without one does. */
export function isUnnamedTier(word: unknown): boolean {
  return typeof word === "string" && serviceTierOf(word) === undefined;
}

/** The tier that a request names, by the vendor's word or, of a table, by the canonical one. */
export function decodeServiceTier(
  { service_tier: word }: JsonObject,
  canonical: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const tier = textOrNothing(word);
  if (tier === undefined || isUnnamedTier(tier)) return undefined;
  return canonical.get(tier) ?? tier;
}
