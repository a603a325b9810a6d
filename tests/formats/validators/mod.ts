import type { FormatName } from "../../../lib/canonical/mod.ts";
import { streamValidator as chatCompletions } from "./chat_completions.ts";
import { streamValidator as generateContent } from "./generate_content.ts";
import { streamValidator as messages } from "./messages.ts";
import { streamValidator as responses } from "./responses.ts";
import type { StreamValidator } from "./stream_validator.ts";

/** Creates a validator of a format's streams. */
export const streamValidators: Readonly<Record<FormatName, () => StreamValidator>> = {
  "chat-completions": chatCompletions,
  messages,
  responses,
  "generate-content": generateContent,
};
