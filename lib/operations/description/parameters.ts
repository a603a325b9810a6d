import type { JsonObject } from "../../canonical/mod.ts";
import type { Endpoint, Operation } from "../../formats/codec.ts";

/** What the path and the query of an endpoint say. */
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

const queries: Readonly<Partial<Record<Operation, readonly JsonObject[]>>> = {
  "get-response": [
    inQuery("stream", "Goes on with the stream of one made in the background", {
      type: "boolean",
    }),
    inQuery("starting_after", "The sequence number of the last event that is known already", {
      type: "integer",
    }),
  ],
  "list-input-items": page,
  "list-conversation-items": page,
};

/** Streams of the generate-content format are a JSON array unless the address asks for events. */
function framing({ verb }: Endpoint): JsonObject[] {
  if (verb !== "streamGenerateContent") return [];
  return [inQuery("alt", "How the stream is framed: a JSON array where absent", { enum: ["sse"] })];
}
