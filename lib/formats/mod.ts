import type { FormatName } from "../canonical/mod.ts";
import { chatCompletions } from "./chat_completions/mod.ts";
import type { Codec } from "./codec.ts";
import { generateContent } from "./generate_content/mod.ts";
import { messages } from "./messages/mod.ts";
import { responses } from "./responses/mod.ts";

export { AnswerFitter, fittedAnswer } from "./answer/fitter.ts";
export { upstreamWords } from "./error.ts";
export { readShape, requestSchemaOf } from "./schema.ts";
export { bodyWithoutPrice, eventWithoutPrice, statesPrice, withoutPrice } from "./stated_price.ts";

/** All wire formats. To add one, add a folder and a line here. */
export const codecs: Readonly<Record<FormatName, Codec>> = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
};
