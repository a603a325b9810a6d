import type { JsonObject } from "../../canonical/mod.ts";
import { isListIn } from "../../json/mod.ts";
import type { Envelope, PromptParts } from "../codec.ts";
import { answerBounds, conversationOf, modelIn, thinkingBound } from "../request/envelope.ts";
import { partsOf } from "../request/prompt_parts.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { listOf } from "../wire_value.ts";
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

/** Reads the cached parts of a request. */
export function promptParts({ tools, messages }: JsonObject): PromptParts {
  return partsOf(listOf(tools), listOf(messages));
}
