import { chatCompletions } from "./chat_completions.ts";
import type { PlaygroundDialect } from "./dialect.ts";
import { generateContent } from "./generate_content.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";

/** The formats that the playground supports. */
export const playgroundFormats = [
  "chat-completions",
  "responses",
  "messages",
  "generate-content",
] as const;
export type PlaygroundFormat = typeof playgroundFormats[number];

/** The dialect of each format. */
export const dialects = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<PlaygroundFormat, PlaygroundDialect>;
