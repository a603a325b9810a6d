import { isListIn } from "../../json/mod.ts";
import type { Envelope } from "../codec.ts";
import { answerBounds, conversationOf, modelIn, thinkingBound } from "../request/envelope.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { thinkingBudgets } from "./reasoning.ts";

/** Reads the routing data of a request without a schema. */
export function envelope({ body }: WireRequest): Envelope {
  const model = modelIn(body);
  if (!isListIn(body, "messages")) throw refused("messages", "must be an array of messages");
  const bounds = answerBounds([body.max_completion_tokens, body.max_tokens], [body.n]);
  return {
    model,
    conversation: () => conversationOf(body.prompt_cache_key, body, "messages"),
    maxOutputTokens: bounds.maxOutputTokens,
    alternatives: bounds.alternatives,
    thinkingTokens: thinkingBound(thinkingBudgets(body)),
    stream: body.stream === true,
    framing: "sse",
  };
}
