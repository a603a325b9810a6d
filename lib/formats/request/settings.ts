import {
  type CanonicalRequest,
  digest,
  type JsonObject,
  serviceTierOf,
} from "../../canonical/mod.ts";
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

const endUserCharsMax = 128;

/** The end user's id. Hashes ids that are too long, and e-mail addresses, which the vendor has no need to know. */
export function encodeSafetyId(
  { endUser }: CanonicalRequest,
  { own, notes }: { readonly own: boolean; readonly notes: { add(id: "endUser"): void } },
): { safety_identifier?: string } {
  if (endUser === undefined) return {};
  if (own || (endUser.length <= endUserCharsMax && !endUser.includes("@"))) {
    return { safety_identifier: endUser };
  }
  notes.add("endUser");
  return { safety_identifier: digest(endUser) };
}

/** Features that some models of the vendor of both formats refuse. */
export interface ModelTraits {
  /** True if it accepts temperature and top-p while it thinks. */
  readonly sampling: boolean;
  /** True if it accepts a reasoning effort. */
  readonly effort: boolean;
  /** True if chat completions accept its earlier reasoning in the history. */
  readonly thoughts: boolean;
}

/** The traits of a model by its name, with or without a prefix. An unknown name accepts everything. */
export function traitsOf(model: string): ModelTraits {
  for (const { names, traits } of rows) if (names.test(model)) return traits;
  return allTraits;
}

const allTraits: ModelTraits = { sampling: true, effort: true, thoughts: true };

/** Source: reports as of November 2026. */
const rows: readonly { readonly names: RegExp; readonly traits: ModelTraits }[] = [
  { names: /(^|\/)(o[1-9]|gpt-5)/, traits: { sampling: false, effort: true, thoughts: false } },
  {
    names: /(^|\/)(gpt-[34]|chatgpt-4)/,
    traits: { sampling: true, effort: false, thoughts: false },
  },
];
