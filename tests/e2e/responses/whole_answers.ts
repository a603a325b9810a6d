import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { chatAnswer, messagesAnswer } from "../../formats/whole_answer.ts";

/** A whole answer of three tokens in each format. */
export const wholeAnswers: Readonly<Record<FormatName, JsonObject>> = {
  "chat-completions": chatAnswer({ content: "Hi there" }),
  responses: {
    id: "resp_up",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: [{
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hi there", annotations: [] }],
    }],
    usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
  },
  messages: messagesAnswer({ content: [{ type: "text", text: "Hi there" }] }),
  "generate-content": {
    candidates: [{
      index: 0,
      finishReason: "STOP",
      content: { role: "model", parts: [{ text: "Hi there" }] },
    }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 },
    modelVersion: "m",
    responseId: "r1",
  },
};
