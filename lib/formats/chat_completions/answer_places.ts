import type { AnswerPlaces } from "../answer_places.ts";

/** An answer's message, with the images that routers of this format put beside its text. */
export const answerPlaces: AnswerPlaces = {
  media: { image: ["base64", "url"], audio: ["base64"], video: [], file: [] },
  transcripts: true,
  addresses: true,
  alternatives: true,
  objectArguments: false,
  pauses: false,
  refusals: true,
  stopSequences: false,
  audioTypes: false,
};
