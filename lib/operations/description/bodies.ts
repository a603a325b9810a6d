import { z } from "zod";
import type { JsonObject } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { Endpoint } from "../../formats/wire.ts";
import { codecs } from "../../formats/mod.ts";
import {
  type RelayedEndpoint,
  relayedEndpoint,
  relayedEndpoints,
} from "../../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../../http/endpoints.ts";
import { conversationBodies } from "../conversations.ts";

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
  if (operation === "generate") return name;
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

/** The body of a generation request with no required members, as token counting takes it. */
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
