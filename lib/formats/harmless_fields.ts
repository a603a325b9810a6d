import type { FormatName } from "../canonical/mod.ts";
import { harmlessFields as chatCompletions } from "./chat_completions/native.ts";
import { harmlessFields as generateContent } from "./generate_content/native.ts";
import { harmlessFields as messages } from "./messages/native.ts";
import type { HarmlessFields } from "./native.ts";
import { harmlessFields as responses } from "./responses/native.ts";

/** What each format's callers say that is no loss to any other: without notes, so that strict callers are served. */
export const harmlessFields = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<FormatName, HarmlessFields>;
