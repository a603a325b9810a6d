import type { AnswerPlaces } from "../../answer/places.ts";
import { harmless, type HarmlessFields } from "../../native.ts";
import { isEmpty, objectOf, saysNothing } from "../../wire_value.ts";

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
