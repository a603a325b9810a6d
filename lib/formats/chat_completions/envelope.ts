import { isListIn } from "../../json/mod.ts";
import type { Envelope } from "../codec.ts";
import { answerBounds, thinkingBound } from "../request/answer_bounds.ts";
import { conversationOf } from "../request/conversation.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { thinkingBudgets } from "./reasoning.ts";

/** Reads the routing data of a request without a schema. */
export function envelope({ body }: WireRequest): Envelope {
  const { model, stream } = body;
  if (typeof model !== "string" || model === "") {
    throw refused("model", "must be a non-empty string");
  }
  if (!isListIn(body, "messages")) throw refused("messages", "must be an array of messages");
  const bounds = answerBounds([body.max_completion_tokens, body.max_tokens], [body.n]);
  return {
    model,
    conversation: () => conversationOf(body.prompt_cache_key, body, "messages"),
    maxOutputTokens: bounds.maxOutputTokens,
    alternatives: bounds.alternatives,
    thinkingTokens: thinkingBound(thinkingBudgets(body)),
    stream: stream === true,
    framing: "sse",
  };
}
