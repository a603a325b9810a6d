import { isListIn } from "../../json/mod.ts";
import type { Envelope } from "../codec.ts";
import { answerBounds } from "../request/answer_bounds.ts";
import { conversationOf } from "../request/conversation.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { vendorStateIn } from "./vendor_state.ts";

/**
 * Reads the routing data of a request, without a schema. A body without `input` needs a stored
 * prompt or held state.
 */
export function envelope({ body }: WireRequest): Envelope {
  const { model, stream } = body;
  if (typeof model !== "string" || model === "") {
    throw refused("model", "must be a non-empty string");
  }
  if (
    !isListIn(body, "input") && typeof body.input !== "string" && !standsWithoutInput(body)
  ) {
    throw refused("input", "must be a string or an array of items");
  }
  const bounds = answerBounds([body.max_output_tokens]);
  return {
    model,
    conversation: () =>
      conversationOf(body.prompt_cache_key ?? body.previous_response_id, body, "input"),
    maxOutputTokens: bounds.maxOutputTokens,
    alternatives: bounds.alternatives,
    vendorState: vendorStateIn(body),
    stream: stream === true,
    framing: "sse",
  };
}

function standsWithoutInput(body: WireRequest["body"]): boolean {
  if (body.input !== undefined && body.input !== null) return false;
  return [body.prompt, body.previous_response_id, body.conversation].some((held) =>
    held !== undefined && held !== null
  );
}
