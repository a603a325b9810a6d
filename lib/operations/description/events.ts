import { z } from "zod";
import type { JsonObject } from "../../canonical/mod.ts";
import { type EventType, eventTypes } from "../../webhooks/mod.ts";

const answers: JsonObject = {
  "2XX": { description: "The event is received; any other answer is retried" },
  "410": { description: "The receiver is gone: the webhook is disabled" },
};

const headers: JsonObject[] = [
  ["webhook-id", "The event's id; the same at every attempt"],
  ["webhook-timestamp", "Seconds since 1970, at the attempt"],
  ["webhook-signature", "Signatures after Standard Webhooks, separated by spaces"],
].map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

/** The events that webhooks receive, by their type. */
export function eventDescriptions(): JsonObject {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, row]) => [type, { post: operationOf(type, row) }]),
  );
}

function operationOf(
  type: string,
  { when, frequency, data }: typeof eventTypes[EventType],
): JsonObject {
  const body = z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data });
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: "input" }) as JsonObject;
  return {
    operationId: `event:${type}`,
    summary: `Sent when ${when}`,
    description: `Frequency: ${frequency}`,
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: answers,
  };
}
