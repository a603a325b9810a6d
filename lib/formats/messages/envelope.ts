import { isJsonObject } from "../../canonical/mod.ts";
import { isListIn } from "../../json/mod.ts";
import type { Envelope } from "../codec.ts";
import { answerBounds, thinkingBound } from "../request/answer_bounds.ts";
import { conversationOf } from "../request/conversation.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { objectOf } from "../wire_value.ts";
import { vendorStateIn } from "./vendor_state.ts";

/** Reads the routing data of a request, without a schema. */
export function envelope({ body }: WireRequest): Envelope {
  const { model, stream } = body;
  if (typeof model !== "string" || model === "") {
    throw refused("model", "must be a non-empty string");
  }
  if (!isListIn(body, "messages")) throw refused("messages", "must be an array of messages");
  const bounds = answerBounds([body.max_tokens]);
  return {
    model,
    conversation: () => conversationOf(sessionOf(body.metadata), body, "messages"),
    maxOutputTokens: bounds.maxOutputTokens,
    alternatives: bounds.alternatives,
    thinkingTokens: thinkingBound([objectOf(body.thinking).budget_tokens]),
    vendorState: vendorStateIn(body),
    stream: stream === true,
    framing: "sse",
  };
}

/** Agents state a session's id here. */
function sessionOf(metadata: unknown): unknown {
  return isJsonObject(metadata) ? metadata.user_id : undefined;
}
