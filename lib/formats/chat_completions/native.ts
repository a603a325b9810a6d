import type { FormatName, JsonObject } from "../../canonical/mod.ts";
import { comparesNothing } from "../request/cache_options.ts";
import { isUnnamedTier } from "../request/service_tier.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";

export const format = "chat-completions" satisfies FormatName;

export const { ownFields, keep, mark } = nativeKeeper(format);

/** Where the prompt's cache lives and what the answer may be like change its speed and price alone. */
export const harmlessFields: HarmlessFields = {
  ...harmless("stream_options", "prompt_cache_retention", "prediction"),
  prompt_cache_options: comparesNothing,
  service_tier: isUnnamedTier,
  modalities: (value) => Array.isArray(value) && value.every((modality) => modality === "text"),
};

/** The members that `known` does not name. An empty array is, beside `null`, how this format spells "none". */
export function extraMembers(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => !known.has(key) && !isNothing(value)),
  );
}

function isNothing(value: JsonObject[string]): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
