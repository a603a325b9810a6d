import {
  errorCatalog,
  type ErrorCode,
  type FormatName,
  GatewayError,
  type JsonObject,
} from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { Operation } from "../../formats/wire.ts";
import { codecs } from "../../formats/mod.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../../http/endpoints.ts";
import { ownKeySchemas } from "./own_key.ts";

/** The responses of an endpoint, with errors in the shape of its format. */
export function responsesOf({ codec, endpoint }: ServedEndpoint): JsonObject {
  const error = { $ref: `#/components/responses/${errorName(codec.name)}` };
  return {
    "200": {
      description: "The answer",
      headers: answerHeaders,
      content: contentOf(endpoint.operation),
    },
    "4XX": error,
    "5XX": error,
  };
}

const answerHeaders: JsonObject = {
  "x-request-id": { description: "The call's ID in the log", schema: { type: "string" } },
  "tessera-cost": {
    description:
      "The cost in USD; absent if there is no price. A stream sends it in a comment before its end",
    schema: { type: "string", examples: ["0.000123"] },
  },
  "tessera-notes": {
    description:
      "Losses and changes in the conversion of request and answer. A stream lists those of its answer in a comment before its end",
    schema: { type: "string" },
  },
};

const json: JsonObject = { "application/json": { schema: { type: "object" } } };
const events: JsonObject = { "text/event-stream": { schema: { type: "string" } } };
const text: JsonObject = { "text/plain": { schema: { type: "string" } } };
const bytes: JsonObject = { "audio/*": { schema: { type: "string", format: "binary" } } };

function contentOf(operation: Operation): JsonObject {
  if (operation === "generate" || operation === "get-response") return { ...json, ...events };
  const relayed = relayedEndpoint(operation);
  if (!relayed) {
    const schema = answerSchemaNames[operation];
    return schema
      ? { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
      : json;
  }
  if (relayed.answers === "bytes") return { ...bytes, ...events };
  const streamed = relayed.ends !== undefined || relayed.metersOnRequest;
  return { ...json, ...(relayed.answers === "text" && text), ...(streamed && events) };
}

/** The schemas of the gateway's own answers; all others are documented by the format's vendor. */
const answerSchemaNames: Readonly<Partial<Record<Operation, string>>> = {
  "create-conversation": "Conversation",
  "get-conversation": "Conversation",
  "update-conversation": "Conversation",
  "delete-conversation-item": "Conversation",
  "create-conversation-items": "ItemList",
  "list-conversation-items": "ItemList",
  "list-input-items": "ItemList",
  "get-usage": "OwnUsage",
  "get-key": "OwnKey",
  "get-subscription": "BillingSubscription",
  "get-billing-usage": "BillingUsage",
};

const string: JsonObject = { type: "string" };

export const answerSchemas: JsonObject = {
  ...ownKeySchemas,
  Conversation: {
    type: "object",
    required: ["id", "object", "created_at", "metadata"],
    properties: {
      id: string,
      object: { const: "conversation" },
      created_at: { type: "integer", description: "Seconds since 1970" },
      metadata: { type: "object", additionalProperties: string },
    },
  },
  ItemList: {
    type: "object",
    required: ["object", "data", "first_id", "last_id", "has_more"],
    properties: {
      object: { const: "list" },
      data: { type: "array", items: { type: "object" } },
      first_id: { type: ["string", "null"] },
      last_id: { type: ["string", "null"] },
      has_more: { type: "boolean" },
    },
  },
  ErrorCode: {
    description: Object.entries(errorCatalog)
      .map(([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`).join("\n"),
    enum: Object.keys(errorCatalog) as ErrorCode[], // the catalog's own keys
  },
};

function errorName(format: FormatName): string {
  return `${format}.error`;
}

/** An example error of each format, made by its codec. */
export function errorResponses(): JsonObject {
  return Object.fromEntries(
    Object.values(codecs).map((codec) => [errorName(codec.name), errorResponseOf(codec)]),
  );
}

function errorResponseOf(codec: Codec): JsonObject {
  const error = new GatewayError(
    "invalid_request",
    "Cannot decode request: model must not be empty",
  );
  const { body } = codec.encodeError(error, "req_01M8000000000000000000000");
  return {
    description: "An error in the shape of the format; `ErrorCode` lists every code and its status",
    headers: { "x-request-id": { schema: string }, "retry-after": { schema: string } },
    content: {
      "application/json": {
        schema: { type: "object", examples: [body as JsonObject] }, // sound: codecs write objects
      },
    },
  };
}
