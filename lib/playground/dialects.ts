import { chatCompletions } from "./chat_completions.ts";
import type { Dialect } from "./dialect.ts";
import { generateContent } from "./generate_content.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";

/** The formats that the playground speaks. */
export const playgroundFormats = [
  "chat-completions",
  "responses",
  "messages",
  "generate-content",
] as const;
export type PlaygroundFormat = typeof playgroundFormats[number];

/** How each of them is written and read. */
export const dialects = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<PlaygroundFormat, Dialect>;
