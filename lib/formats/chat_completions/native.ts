import type { FormatName, JsonObject, JsonValue } from "../../canonical/mod.ts";
import { setMember } from "../../json/mod.ts";
import type { AnswerPlaces } from "../answer/places.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { comparesNothing } from "../request/cache.ts";
import { isUnnamedTier } from "../request/settings.ts";
import { isEmpty, noMembers, objectOf, objectsOf, statesOnly } from "../wire_value.ts";

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
    if (!known.has(key) && !isNothing(value)) setMember(kept ??= {}, key, value);
  }
  return kept ?? noMembers;
}

function isNothing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** An answer's message. Routers of this format add images beside its text. */
export const answerPlaces: AnswerPlaces = {
  media: { image: ["base64", "url"], audio: ["base64"], video: [], file: [] },
  transcripts: true,
  textProofs: 1,
  addresses: true,
  alternatives: true,
  objectArguments: false,
  pauses: false,
  refusals: true,
  stopSequences: false,
  regions: false,
  audioTypes: false,
  logprobs: ["text", "refusal"],
  tokenBytes: true,
  tokenIds: false,
};

/** Members that name the serving provider; the call's row keeps them as far as they matter. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("service_tier", "provider", "native_finish_reason"),
  ...harmless("x_groq", "time_info", "stats", "gen_id", "seed"),
  prompt_filter_results: (value) =>
    objectsOf(value).every(({ content_filter_results }) => filtersNothing(content_filter_results)),
  content_filter_results: filtersNothing,
  message: (value) => statesOnly(objectOf(value), ["prefix"]),
};

/** Returns true if Azure's filter let the whole answer pass (2026-11). */
function filtersNothing(results: JsonValue | undefined): boolean {
  return Object.values(objectOf(results)).every((result) => objectOf(result).filtered !== true);
}
