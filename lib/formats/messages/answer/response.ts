import {
  type CanonicalResponse,
  isJsonObject,
  type JsonObject,
  type Part,
} from "../../../canonical/mod.ts";
import { parsedSimple } from "../../../json/mod.ts";
import { invalidAnswer, withContent } from "../../error.ts";
import type { EncoderContext } from "../../codec.ts";
import { objectsOf, restOf, textOf } from "../../wire_value.ts";
import { decodeAnswerBlock } from "../content.ts";
import { decodeStreamError } from "../error.ts";
import { mark, ownFields } from "../native.ts";
import { decodeEnding, encodeEnding, explanationOf } from "./finish.ts";
import { type AnswerContext, answerContext, encodeAnswerPart } from "./part.ts";
import { decodeUsage, encodeUsage, openingUsage } from "./usage.ts";

/** Decodes a whole answer. Throws the error that the body states, or `upstream_invalid_response`. */
export function decodeResponse(body: unknown): CanonicalResponse {
  if (!isJsonObject(body)) throw invalidAnswer("it is not a JSON object");
  if (body.type === "error" || isJsonObject(body.error)) throw decodeStreamError(body);
  if (!Array.isArray(body.content)) throw invalidAnswer("content is missing");
  const explanation = explanationOf(body);
  const blocks = objectsOf(body.content).map(decodeAnswerBlock);
  const parts: Part[] = explanation ? [...blocks, explanation] : blocks;
  const calls = parts.some(({ type }) => type === "tool-call");
  const usage = decodeUsage(body.usage);
  return withContent({
    id: textOf(body.id),
    model: textOf(body.model),
    alternatives: [{ ...decodeEnding(body, calls), parts }],
    ...(usage && { usage }),
    ...mark(messageFields(body)),
  }, textOf(body.stop_reason) !== "");
}

/** Encodes the first alternative as a message; blocks of another vendor's hosted tools are left out. */
export function encodeResponse(response: CanonicalResponse, context: EncoderContext): JsonObject {
  const answer = answerContext(context, ownFields(response) !== undefined);
  const [first] = response.alternatives;
  const content: JsonObject[] = [];
  for (const part of first?.parts ?? []) {
    if (!isUnfinished(part, first?.finishReason)) content.push(...encodeAnswerPart(part, answer));
  }
  return {
    ...ownFields(response),
    ...encodeHead(response, answer),
    content,
    ...encodeEnding(first ?? { finishReason: "stop" }, {
      calls: content.some(({ type }) => type === "tool_use"),
      refusal: answer.refused,
    }),
    usage: response.usage ? encodeUsage(response.usage) : openingUsage(context),
  };
}

/** Members of a message without a canonical field. */
export function messageFields(message: JsonObject): JsonObject {
  return restOf(message, [
    "id",
    "type",
    "role",
    "model",
    "content",
    "stop_reason",
    "stop_sequence",
    "stop_details",
    "usage",
  ]);
}

/** The vendor's own id and model name are kept. */
export function encodeHead(
  { id, model }: { readonly id: string; readonly model: string },
  { own, messageId, model: callersModel }: AnswerContext,
): JsonObject {
  return {
    id: own && id !== "" ? id : messageId,
    type: "message",
    role: "assistant",
    model: own && model !== "" ? model : callersModel,
  };
}

/** Returns true for a call that a limit cut off: this format cannot mark it, and an agent would run it. */
function isUnfinished(part: Part, reason: string | undefined): boolean {
  if (part.type !== "tool-call" || part.kind === "custom" || reason !== "length") return false;
  try {
    return !isJsonObject(parsedSimple(part.arguments || "{}"));
  } catch {
    return true;
  }
}
