import type { FormatName, JsonObject, JsonValue } from "../../canonical/mod.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { comparesNothing } from "../request/cache_options.ts";
import { isUnnamedTier } from "../request/service_tier.ts";
import { isEmpty, noMembers, objectOf, put } from "../wire_value.ts";

export const format = "chat-completions" satisfies FormatName;

export const { ownFields, keep, mark } = nativeKeeper(format);

/** The native field that keeps a document's part as the caller wrote it; canonical fields repeat it. */
export const linkedFile = "linked";

/** Cache location and predicted output change speed and price only. */
export const harmlessFields: HarmlessFields = {
  ...harmless("stream_options", "prompt_cache_retention", "prediction", linkedFile),
  prompt_cache_options: comparesNothing,
  service_tier: isUnnamedTier,
  audio: (value) => isEmpty(objectOf(value)),
  modalities: (value) => Array.isArray(value) && value.every((modality) => modality === "text"),
};

/** The members that `known` does not name. This format treats `null` and an empty array as absent. */
export function extraMembers(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  let kept: Record<string, JsonValue> | undefined;
  for (const key in object) {
    const value = object[key];
    if (!known.has(key) && !isNothing(value)) put(kept ??= {}, key, value);
  }
  return kept ?? noMembers;
}

function isNothing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
