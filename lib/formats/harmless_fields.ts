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

/** Request fields of each format that no other format loses anything by leaving out: they have no notes, so strict callers are served. */
export const harmlessFields = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<FormatName, HarmlessFields>;

/** Answer fields of each format that a caller of another format loses nothing without. */
export const harmlessAnswerFields = {
  "chat-completions": chatCompletionsAnswer,
  responses: responsesAnswer,
  messages: messagesAnswer,
  "generate-content": generateContentAnswer,
} as const satisfies Record<FormatName, HarmlessFields>;
