import type { JsonObject } from "../../lib/canonical/mod.ts";

/** A whole answer of a chat-completions upstream: one message, with a caller's own members in place of the usual ones. */
export function chatAnswer(
  message: JsonObject = { content: "Hi" },
  members: JsonObject = {},
): JsonObject {
  return {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
    ...members,
  };
}

/** A whole answer of a messages upstream. */
export function messagesAnswer(members: JsonObject = {}): JsonObject {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: "Hi" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1 },
    ...members,
  };
}
