import type { FormatName } from "../../../../lib/canonical/mod.ts";
import { chatSamples } from "./chat_completions.ts";
import { generateContentSamples } from "./generate_content.ts";
import { messagesSamples } from "./messages.ts";
import { responsesSamples } from "./responses.ts";
import type { Sample } from "./sample.ts";

/** Answers of realistic size with all content that a format has. */
export const samples: Readonly<Record<FormatName, readonly Sample[]>> = {
  "chat-completions": chatSamples,
  responses: responsesSamples,
  messages: messagesSamples,
  "generate-content": generateContentSamples,
};
