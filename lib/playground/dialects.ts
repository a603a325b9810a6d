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

/** The languages of code snippets, whose writers load with the first snippet. */
export const snippetKinds = ["curl", "python", "typescript"] as const;
export type SnippetKind = typeof snippetKinds[number];

/** The dialect of each format. */
export const dialects = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<PlaygroundFormat, PlaygroundDialect>;
