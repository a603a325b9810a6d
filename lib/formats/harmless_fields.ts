import type { FormatName } from "../canonical/mod.ts";
import { harmlessAnswerFields as chatCompletionsAnswer } from "./chat_completions/answer_fields.ts";
import { harmlessFields as chatCompletions } from "./chat_completions/native.ts";
import { harmlessAnswerFields as generateContentAnswer } from "./generate_content/answer_fields.ts";
import { harmlessFields as generateContent } from "./generate_content/native.ts";
import { harmlessAnswerFields as messagesAnswer } from "./messages/answer_fields.ts";
import { harmlessFields as messages } from "./messages/native.ts";
import type { HarmlessFields } from "./native.ts";
import { harmlessAnswerFields as responsesAnswer } from "./responses/answer_fields.ts";
import { harmlessFields as responses } from "./responses/native.ts";

/** What each format's callers say that is no loss to any other: without notes, so that strict callers are served. */
export const harmlessFields = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<FormatName, HarmlessFields>;

/** What each format's upstreams say in an answer that is no loss to a caller of another. */
export const harmlessAnswerFields = {
  "chat-completions": chatCompletionsAnswer,
  responses: responsesAnswer,
  messages: messagesAnswer,
  "generate-content": generateContentAnswer,
} as const satisfies Record<FormatName, HarmlessFields>;
