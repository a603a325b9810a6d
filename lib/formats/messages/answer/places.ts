import type { AnswerPlaces } from "../../answer/places.ts";
import { harmless, type HarmlessFields } from "../../native.ts";
import { isEmpty, listOf, objectOf } from "../../wire_value.ts";

/** An answer has text, thoughts and calls; its citations are the vendor's own. */
export const answerPlaces: AnswerPlaces = {
  media: { image: [], audio: [], video: [], file: [] },
  transcripts: false,
  addresses: false,
  alternatives: false,
  objectArguments: true,
  pauses: true,
  refusals: true,
  stopSequences: true,
  audioTypes: false,
};

/** Members of a message that canonical fields say as well, or that say nothing with this value. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("usage", "caller", "spelling"),
  context_management: (value) => listOf(objectOf(value).applied_edits).length === 0,
  container: (value) => isEmpty(objectOf(value)),
  stop_details: (value) => (objectOf(value).category ?? null) === null, // a refusal part has the explanation
};
