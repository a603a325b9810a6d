import type { AnswerPlaces } from "../answer_places.ts";

/** An image has the item of the tool that makes images, which holds bytes alone. */
export const answerPlaces: AnswerPlaces = {
  media: { image: ["base64"], audio: [], video: [], file: [] },
  transcripts: false,
  addresses: true,
  alternatives: false,
  objectArguments: false,
  pauses: false,
  refusals: true,
  stopSequences: false,
  audioTypes: false,
};
