import type { JsonObject } from "../../../canonical/mod.ts";
import type { AnswerPlaces } from "../../answer/places.ts";
import { harmless, type HarmlessFields } from "../../native.ts";
import { isEmpty, listOf, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";

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
