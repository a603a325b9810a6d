import type { FormatName } from "../canonical/mod.ts";
import { harmlessAnswerFields as chatCompletionsAnswer } from "./chat_completions/answer/places.ts";
import { harmlessFields as chatCompletions } from "./chat_completions/native.ts";
import { harmlessAnswerFields as generateContentAnswer } from "./generate_content/answer/places.ts";
import { harmlessFields as generateContent } from "./generate_content/native.ts";
import { harmlessAnswerFields as messagesAnswer } from "./messages/answer/places.ts";
import { harmlessFields as messages } from "./messages/native.ts";
import type { HarmlessFields } from "./native.ts";
import { harmlessAnswerFields as responsesAnswer } from "./responses/answer/places.ts";
import { harmlessFields as responses } from "./responses/native.ts";

/**
 * Request fields whose loss in another format does not matter: they cause no note, so strict
 * callers are served.
 */
export const harmlessFields = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<FormatName, HarmlessFields>;

/** Answer fields whose loss for a caller of another format does not matter. */
export const harmlessAnswerFields = {
  "chat-completions": chatCompletionsAnswer,
  responses: responsesAnswer,
  messages: messagesAnswer,
  "generate-content": generateContentAnswer,
} as const satisfies Record<FormatName, HarmlessFields>;
