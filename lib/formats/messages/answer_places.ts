import type { AnswerPlaces } from "../answer_places.ts";

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
