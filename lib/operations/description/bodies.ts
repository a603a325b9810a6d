import { z } from "zod";
import type { JsonObject } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { Endpoint } from "../../formats/endpoint.ts";
import { codecs } from "../../formats/mod.ts";
import {
  type RelayedEndpoint,
  relayedEndpoint,
  relayedEndpoints,
} from "../../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../../http/endpoints.ts";
import { conversationBodies } from "../conversations.ts";

/** The body that an endpoint takes; undefined for one that takes none. */
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

/** Under what name a body is described: a format's own, or that of an operation. */
function schemaName({ name }: Codec, { operation }: Endpoint): string {
  if (operation === "generate") return name;
  return operation === "count-tokens" ? `${name}.count-tokens` : operation;
}

/** Every body by its name, from the very schemas that check it. */
export function requestSchemas(): JsonObject {
  const formats = Object.values(codecs);
  return {
    ...Object.fromEntries(formats.map((codec) => [codec.name, generated(codec)])),
    ...Object.fromEntries(
      formats.filter(({ tokenCount }) => tokenCount)
        .map((codec) => [`${codec.name}.count-tokens`, counted(codec)]),
    ),
    ...Object.fromEntries(
      relayedEndpoints.map(({ operation, schema }) => [operation, jsonSchemaOf(schema)]),
    ),
    ...Object.fromEntries(
      Object.entries(conversationBodies).map(([operation, schema]) => [
        operation,
        jsonSchemaOf(schema),
      ]),
    ),
  };
}

function generated({ requestJsonSchema }: Codec): JsonObject {
  return requestJsonSchema?.() ?? { type: "object" };
}

/** The body of an answer's request, less what only limits the answer. */
function counted(codec: Codec): JsonObject {
  const { required: _, ...members } = generated(codec);
  return members;
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  });
  return JSON.parse(JSON.stringify(described));
}
