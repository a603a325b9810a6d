import { type FormatName, isJsonObject } from "../../canonical/mod.ts";
import type { AnswerPlaces } from "../answer/places.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { isEmpty, objectOf, objectsOf, saysNothing, statesOnly, textOf } from "../wire_value.ts";

export const format = "messages" satisfies FormatName;

export const { ownFields, keep, mark } = nativeKeeper(format);

/** Deferred tools are sent at once, and thinking to be cleared is never sent to other vendors. */
export const harmlessFields: HarmlessFields = {
  ...harmless("caller", "spelling", "defer_loading", "eager_input_streaming", "service_tier"),
  ...harmless("clear_at", "inline", "mcp_servers"),
  context_management: (value) =>
    isJsonObject(value) && statesOnly(value, ["edits"]) &&
    objectsOf(value.edits).every(({ type }) => textOf(type).startsWith("clear_thinking_")),
};

/** An answer has text, thinking and calls; its citations are the vendor's own. */
export const answerPlaces: AnswerPlaces = {
  media: { image: [], audio: [], video: [], file: [] },
  transcripts: false,
  textProofs: 0,
  addresses: false,
  alternatives: false,
  objectArguments: true,
  pauses: true,
  refusals: true,
  stopSequences: true,
  regions: true,
  audioTypes: false,
  logprobs: [],
  tokenBytes: false,
  tokenIds: false,
};

/** Members that canonical fields repeat, or that have no effect with this value. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("usage", "caller", "spelling"),
  context_management: (value) => saysNothing(value),
  container: (value) => isEmpty(objectOf(value)),
  stop_details: (value) => (objectOf(value).category ?? null) === null, // the refusal part holds the explanation
};
