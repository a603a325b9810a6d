import type { JsonObject } from "../../canonical/mod.ts";
import type { Endpoint, Operation } from "../../formats/endpoint.ts";

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
  inQuery("limit", "How many items at most", {
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 20,
  }),
  inQuery("order", "Oldest or newest first", { enum: ["asc", "desc"], default: "desc" }),
  inQuery("after", "The id of the last item that is known already", { type: "string" }),
];

const rows: JsonObject = { type: "integer", minimum: 1, maximum: 1_000 };

/** The paging parameters of each format's model list; without any, the list is whole. */
const modelPages: readonly JsonObject[] = [
  inQuery("limit", "How many models at most, in the messages format", rows),
  inQuery("after_id", "The `last_id` of the page before, in the messages format", {
    type: "string",
  }),
  inQuery("before_id", "The `first_id` of the page after, in the messages format", {
    type: "string",
  }),
  inQuery("pageSize", "How many models at most, in the generate-content format", rows),
  inQuery("pageToken", "The `nextPageToken` of the page before, in the generate-content format", {
    type: "string",
  }),
];

const queries: Readonly<Partial<Record<Operation, readonly JsonObject[]>>> = {
  "get-response": [
    inQuery("stream", "Goes on with the stream of one made in the background", {
      type: "boolean",
    }),
    inQuery("starting_after", "The sequence number of the last event that is known already", {
      type: "integer",
    }),
  ],
  "list-models": modelPages,
  "list-input-items": page,
  "list-conversation-items": page,
};

/** Streams of the generate-content format are a JSON array unless the query selects events. */
function framing({ verb }: Endpoint): JsonObject[] {
  if (verb !== "streamGenerateContent") return [];
  return [inQuery("alt", "How the stream is framed: a JSON array where absent", { enum: ["sse"] })];
}
