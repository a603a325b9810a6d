import type { FormatName } from "../../../lib/canonical/mod.ts";

/** A model of each format's vendor, as its upstream names it. */
export const upstreamModels = {
  "chat-completions": "gpt-5.1",
  responses: "gpt-5.1",
  messages: "claude-opus-5",
  "generate-content": "gemini-2.5-pro",
} as const satisfies Record<FormatName, string>;
