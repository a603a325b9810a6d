import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type NativeFields,
} from "../../canonical/mod.ts";
import type { AnswerPlaces } from "../answer/places.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import {
  isEmpty,
  listOf,
  objectOf,
  objectsOf,
  restOf,
  statesOnly,
  textOf,
  textsOf,
} from "../wire_value.ts";

export const format = "generate-content" satisfies FormatName;

/**
 * A `null` among the fields records a spelling, not a value (`id: null`: the wire had no id), so
 * other formats ignore it.
 */
export const { ownFields, keep, mark } = nativeKeeper(format);

/** The member that keeps a function's response as the caller wrote it, if it differs from the vendor's wrapper. */
export const wrappedMember = "wrapped";

/** Settings are harmless if they only request text; members of a result are harmless if its parts repeat them. */
export const harmlessFields: HarmlessFields = {
  ...harmless(wrappedMember),
  generationConfig: (value) =>
    isJsonObject(value) && statesOnly(value, ["responseModalities"]) &&
    textsOf(value.responseModalities).every((modality) => modality === "TEXT"),
};

/** Restores the native fields of a wire object: joins one level of nesting, omits `null` marks. */
export function withOwnFields(
  wire: JsonObject,
  holder: { readonly native?: NativeFields },
): JsonObject {
  const joined: Record<string, JsonObject[string]> = { ...wire };
  for (const [key, value] of Object.entries(ownFields(holder) ?? {})) {
    const present = joined[key];
    if (value === null || value === undefined) continue;
    joined[key] = isJsonObject(present) && isJsonObject(value) ? { ...value, ...present } : value;
  }
  return joined;
}

/** Parts of an answer may hold any medium; the grounding cites addresses. */
export const answerPlaces: AnswerPlaces = {
  media: {
    image: ["base64", "url", "text"],
    audio: ["base64", "url", "text"],
    video: ["base64", "url", "text"],
    file: ["base64", "url", "text"],
  },
  transcripts: false,
  textProofs: Infinity,
  addresses: true,
  alternatives: true,
  objectArguments: true,
  pauses: false,
  refusals: false,
  stopSequences: false,
  regions: false,
  audioTypes: true,
  logprobs: ["text", "refusal"],
  tokenBytes: false,
  tokenIds: true,
};

/** Members that canonical fields repeat, or that have no effect with this value. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("avgLogprobs", "tokenCount", "createTime"),
  finishMessage: (value) => value === "Model generated function call(s).",
  safetyRatings: (value) => objectsOf(value).every(({ blocked }) => blocked !== true),
  logprobsResult: (value) => isEmpty(restOf(objectOf(value), ["logProbabilitySum"])),
  promptFeedback: (value) => textOf(objectOf(value).blockReason) === "",
  groundingMetadata: (value) => saysNoMore(objectOf(value)),
};

/** Returns true if the citations of the texts repeat the whole grounding. */
function saysNoMore(grounding: JsonObject): boolean {
  const { groundingChunks, groundingSupports } = grounding;
  const cited = new Set(
    objectsOf(groundingSupports).flatMap(({ groundingChunkIndices }) =>
      listOf(groundingChunkIndices)
    ),
  );
  return listOf(groundingChunks).every((_, at) => cited.has(at)) &&
    isEmpty(restOf(grounding, ["groundingChunks", "groundingSupports", "retrievalMetadata"]));
}
