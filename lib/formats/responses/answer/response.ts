import {
  type CanonicalResponse,
  eventsOf,
  isJsonObject,
  type JsonObject,
} from "../../../canonical/mod.ts";
import { invalidAnswer, withContent } from "../../error.ts";
import type { EncoderContext } from "../../codec.ts";
import { objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { decodeFailure } from "../error.ts";
import { decodeOutputItem } from "../items.ts";
import { mark, ownFields } from "../native.ts";
import { ResponseEvents } from "./event_encoder.ts";
import { contentsOf, decodeEnding } from "./finish.ts";
import { decodeUsage } from "./usage.ts";

/** Decodes a whole answer. Throws the error that the body states, or `upstream_invalid_response`. */
export function decodeResponse(body: unknown): CanonicalResponse {
  if (!isJsonObject(body)) throw invalidAnswer("it is not a JSON object");
  if (hasFailed(body)) throw decodeFailure(body);
  if (!Array.isArray(body.output)) throw invalidAnswer("output is missing");
  const parts = objectsOf(body.output).flatMap(decodeOutputItem);
  // an upstream that answers later, although it was not asked to work in the background
  const isPending = body.status === "queued" || body.status === "in_progress";
  if (parts.length === 0 && isPending) throw invalidAnswer(`its status is ${body.status}`);
  const usage = decodeUsage(body);
  return withContent({
    ...decodeHead(body),
    alternatives: [{ ...decodeEnding(body, contentsOf(parts)), parts }],
    ...(usage && { usage }),
    ...mark(responseFields(body)),
  }, textOf(body.status) !== "");
}

/** The answer, equal to the last event of its stream. */
export function encodeResponse(response: CanonicalResponse, context: EncoderContext): JsonObject {
  const events = new ResponseEvents(context);
  let last: JsonObject = {};
  for (const event of eventsOf(response)) last = events.push(event).at(-1) ?? last;
  return { ...objectOf(last.response), ...ownFields(response) };
}

export function decodeHead(response: JsonObject) {
  const { created_at: createdAt } = response;
  return {
    id: textOf(response.id),
    model: textOf(response.model),
    ...(typeof createdAt === "number" && { createdAtMs: createdAt * 1000 }),
  };
}

/** Members of a response object without a canonical field; `null`s too, because the type requires many of them. */
export function responseFields(response: JsonObject): JsonObject {
  const known = ["id", "object", "model", "created_at", "output", "usage"];
  const nulls = Object.keys(response).filter((key) =>
    response[key] === null && !known.includes(key)
  );
  return { ...restOf(response, known), ...Object.fromEntries(nulls.map((key) => [key, null])) };
}

/** True if a response object holds no answer. A cancelled one may hold a part of it, but no end. */
export function hasFailed({ status, error }: JsonObject): boolean {
  return status === "failed" || status === "cancelled" || isJsonObject(error);
}
