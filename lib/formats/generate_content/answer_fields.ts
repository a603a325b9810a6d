import type { JsonObject } from "../../canonical/mod.ts";
import { harmless, type HarmlessFields } from "../native.ts";
import { isEmpty, listOf, objectOf, objectsOf, restOf, textOf } from "../wire_value.ts";

/** Members of an answer, a candidate or a part that canonical fields say as well, or that say nothing with this value. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("createTime", "modelStatus", "avgLogprobs", "tokenCount"),
  finishMessage: (value) => value === "Model generated function call(s).",
  safetyRatings: (value) => objectsOf(value).every(({ blocked }) => blocked !== true),
  promptFeedback: (value) => textOf(objectOf(value).blockReason) === "",
  groundingMetadata: (value) => saysNoMore(objectOf(value)),
};

/** Returns true if the citations of the texts say all that the grounding does. */
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
