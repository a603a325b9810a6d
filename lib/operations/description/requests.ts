import type { JsonObject } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import { codecs, requestSchemaOf } from "../../formats/mod.ts";
import {
  type RelayedEndpoint,
  relayedEndpoint,
  relayedEndpoints,
} from "../../formats/relayed/mod.ts";
import type { Endpoint, Operation } from "../../formats/wire.ts";
import type { ServedEndpoint } from "../../http/endpoints.ts";
import { conversationBodies } from "../conversations.ts";
import { requestExamples } from "./examples.ts";

/** The path and query parameters of an endpoint. */
export function parametersOf(endpoint: Endpoint): JsonObject[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return [...inPath, ...(queries[endpoint.operation] ?? []), ...framing(endpoint)];
}

function inQuery(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "query", description, schema };
}

const page = [
  inQuery("limit", "Maximum number of items", {
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 20,
  }),
  inQuery("order", "Order of the items: oldest first (`asc`) or newest first (`desc`)", {
    enum: ["asc", "desc"],
    default: "desc",
  }),
  inQuery("after", "Lists the items after this ID, usually the last of the previous page", {
    type: "string",
  }),
];

const rows: JsonObject = { type: "integer", minimum: 1, maximum: 1_000 };

/** The paging parameters of each format's model list; without any, the list is whole. */
const modelPages: readonly JsonObject[] = [
  inQuery("limit", "Maximum number of models (messages format)", rows),
  inQuery("after_id", "`last_id` of the previous page (messages format)", {
    type: "string",
  }),
  inQuery("before_id", "`first_id` of the next page (messages format)", {
    type: "string",
  }),
  inQuery("pageSize", "Maximum number of models (generate-content format)", rows),
  inQuery("pageToken", "`nextPageToken` of the previous page (generate-content format)", {
    type: "string",
  }),
];

function usagePeriod(byDefault: string): readonly JsonObject[] {
  const date = { type: "string", format: "date" };
  return [
    inQuery("start_date", `The first UTC day; default: ${byDefault}`, date),
    inQuery("end_date", "The last UTC day; default: today", date),
  ];
}

const queries: Readonly<Partial<Record<Operation, readonly JsonObject[]>>> = {
  "get-response": [
    inQuery("stream", "Streams the events of a background response that follow `starting_after`", {
      type: "boolean",
    }),
    inQuery("starting_after", "Sequence number of the last event received", {
      type: "integer",
    }),
  ],
  "list-models": modelPages,
  "get-usage": [
    ...usagePeriod("the last 30 days"),
    inQuery("session", "Answers the usage of this session in the last 30 days instead", {
      type: "string",
    }),
  ],
  "get-billing-usage": usagePeriod("all time"),
  "list-input-items": page,
  "list-conversation-items": page,
};

/** Streams of the generate-content format are a JSON array unless the query selects events. */
function framing({ verb }: Endpoint): JsonObject[] {
  if (verb !== "streamGenerateContent") return [];
  return [
    inQuery("alt", "`sse` for server-sent events; without it, the stream is a JSON array", {
      enum: ["sse"],
    }),
  ];
}

/** The request body of an endpoint, or undefined if it takes none. */
export function requestBodyOf({ codec, endpoint }: ServedEndpoint): JsonObject | undefined {
  if (endpoint.method !== "POST" || endpoint.operation === "cancel-response") return undefined;
  const relayed = relayedEndpoint(endpoint.operation);
  const schema = { $ref: `#/components/schemas/${schemaName(codec, endpoint)}` };
  const types = relayed ? typesOf(relayed) : [json];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

const json = "application/json";
const multipart = "multipart/form-data";

function typesOf({ takes }: RelayedEndpoint): readonly string[] {
  return { json: [json], form: [multipart], either: [multipart, json] }[takes];
}

/** The name of a body's schema: the format for generation, else the operation. */
function schemaName({ name }: Codec, { operation }: Endpoint): string {
  if (operation === "generate" || operation === "compact-response") return name;
  return operation === "count-tokens" ? `${name}.count-tokens` : operation;
}

/** Every body by its name, from the schemas that validate requests. */
export function requestSchemas(): JsonObject {
  const formats = Object.values(codecs);
  return {
    ...Object.fromEntries(formats.map((codec) => [codec.name, generated(codec)])),
    ...Object.fromEntries(
      formats.filter(({ tokenCount }) => tokenCount)
        .map((codec) => [`${codec.name}.count-tokens`, counted(codec)]),
    ),
    ...Object.fromEntries(
      relayedEndpoints.map(({ operation, schema }) => [operation, requestSchemaOf(schema)]),
    ),
    ...Object.fromEntries(
      Object.entries(conversationBodies).map(([operation, schema]) => [
        operation,
        requestSchemaOf(schema),
      ]),
    ),
  };
}

function generated({ name, requestJsonSchema }: Codec): JsonObject {
  return { ...(requestJsonSchema?.() ?? { type: "object" }), examples: [requestExamples[name]] };
}

/** The body of a generation request with no required members, as token counting takes it. */
function counted(codec: Codec): JsonObject {
  const { required: _, ...members } = generated(codec);
  return members;
}
