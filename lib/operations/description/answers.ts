import {
  boundOwners,
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
import { budgetPeriodPattern } from "../../store/money/mod.ts";
import { answerExample } from "./examples.ts";

/** The responses of an endpoint, with errors in the shape of its format. */
export function responsesOf({ codec, endpoint }: ServedEndpoint): JsonObject {
  const error = { $ref: `#/components/responses/${errorName(codec.name)}` };
  return {
    "200": {
      description: "The answer",
      headers: answerHeaders,
      content: contentOf(codec, endpoint.operation),
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
  "tessera-model-retires": {
    description: "The day on which the vendor shuts the model down; absent if none is announced",
    schema: { type: "string", format: "date" },
  },
  "tessera-model": {
    description:
      "The member of a virtual model that answers; absent for other models. A stream repeats it in a comment before its end",
    schema: { type: "string" },
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

function contentOf(codec: Codec, operation: Operation): JsonObject {
  if (operation === "generate" || operation === "get-response") {
    const schema = { type: "object", examples: [answerExample(codec)] };
    return { "application/json": { schema }, ...events };
  }
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

const number: JsonObject = { type: "number" };
const integer: JsonObject = { type: "integer" };
const boolean: JsonObject = { type: "boolean" };
const date: JsonObject = { type: "string", format: "date" };
const usd: JsonObject = { type: "string", description: "USD as a decimal", examples: ["0.0123"] };
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });

/** An object all of whose members are always there. */
function whole(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: "object", required: Object.keys(properties), properties };
}

const counts = {
  requests: integer,
  failures: integer,
  input_tokens: integer,
  cached_input_tokens: integer,
  cache_write_tokens: integer,
  cache_misses: integer,
  cache_saving: usd,
  output_tokens: integer,
  cost: usd,
} as const;

const model = whole({ model: orNull(string), ...counts });

const limit = whole({
  name: string,
  owner: { enum: [...boundOwners] },
  period: orNull({ type: "string", pattern: budgetPeriodPattern.source }),
  limit: orNull(usd),
  remaining: orNull(usd),
  resets_at: orNull({ type: "string", format: "date-time" }),
});

const usage = {
  currency: { const: "USD" },
  total: whole(counts),
  remaining: orNull(usd),
  limits: listOf(limit),
} as const;

/** The schemas of what a key may read about itself. */
const ownKeySchemas: Readonly<Record<string, JsonObject>> = {
  OwnUsage: {
    oneOf: [
      whole({
        object: { const: "usage" },
        start_date: date,
        end_date: date,
        ...usage,
        models: listOf(model),
        days: listOf(whole({ date, ...counts, models: listOf(model) })),
      }),
      whole({
        object: { const: "session_usage" },
        session: string,
        ...usage,
        turns: number,
        cache: whole({
          misses: listOf(whole({
            call: string,
            at: { type: "string", format: "date-time" },
            cause: string,
          })),
          advice: orNull(string),
        }),
        models: listOf(model),
        parts: listOf(whole({ agent: orNull(string), request_class: orNull(string), ...counts })),
        hours: listOf(whole({ at: { type: "string", format: "date-time" }, ...counts })),
      }),
    ],
  },
  OwnKey: whole({
    data: whole({
      label: string,
      usage: number,
      usage_daily: number,
      usage_weekly: number,
      usage_monthly: number,
      limit: orNull(number),
      limit_remaining: orNull(number),
      limit_reset: { enum: ["daily", "weekly", "monthly", null] },
      is_free_tier: boolean,
      is_management_key: boolean,
      is_provisioning_key: boolean,
      rate_limit: whole({ requests: integer, interval: string }),
      expires_at: orNull(string),
      id: string,
      name: string,
      group: string,
      models: listOf(string),
      formats: listOf(string),
      created_at: string,
      remaining: orNull(usd),
      limits: listOf(limit),
      rate_limits: whole({
        requests_per_minute: orNull(integer),
        tokens_per_minute: orNull(integer),
        concurrency: orNull(integer),
      }),
    }),
  }),
  BillingSubscription: whole({
    object: { const: "billing_subscription" },
    has_payment_method: boolean,
    soft_limit_usd: number,
    hard_limit_usd: number,
    system_hard_limit_usd: number,
    access_until: { type: "integer", description: "Seconds since 1970; 0: never expires" },
  }),
  BillingUsage: whole({
    object: { const: "list" },
    daily_costs: listOf(whole({
      timestamp: number,
      line_items: listOf(whole({ name: string, cost: number })),
    })),
    total_usage: { type: "number", description: "US cents" },
  }),
};

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
