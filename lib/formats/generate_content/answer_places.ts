import type { AnswerPlaces } from "../answer_places.ts";

/** Parts of an answer may hold any medium; the grounding cites addresses. */
export const answerPlaces: AnswerPlaces = {
  media: {
    image: ["base64", "url", "text"],
    audio: ["base64", "url", "text"],
    video: ["base64", "url", "text"],
    file: ["base64", "url", "text"],
  },
  transcripts: false,
  addresses: true,
  alternatives: true,
  objectArguments: true,
  pauses: false,
  refusals: false,
  stopSequences: false,
  audioTypes: true,
};
