import { errorCatalog, type ErrorCode, type JsonObject } from "../canonical/mod.ts";
import type { Codec, Endpoint, Operation } from "../formats/codec.ts";
import { codecs } from "../formats/mod.ts";

/** The API as an OpenAPI 3.1 document, made from the codecs' own tables and schemas. */
export function openapi(): JsonObject {
  const served = Object.values(codecs).flatMap((codec) =>
    codec.endpoints.map((endpoint) => ({ codec, endpoint }))
  );
  const paths = Map.groupBy(served, ({ endpoint }) => addressOf(endpoint));
  return {
    openapi: "3.1.0",
    info: {
      title: "Tessera",
      version: "0.1.0",
      description: "A model gateway: one key, four wire formats, any upstream",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: {
      "/v1/models": { get: operationOf(codecs["chat-completions"], listModels) },
      ...Object.fromEntries([...paths].map(([path, rows]) => [path, methodsOf(rows)])),
    },
    components: { securitySchemes, schemas: { Error: errorSchema, ...requestSchemas() } },
  };
}

const listModels: Endpoint = { method: "GET", path: "/v1/models", operation: "list-models" };

function addressOf({ path, verb }: Endpoint): string {
  return verb ? `${path}:${verb}` : path;
}

interface Served {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
}

function methodsOf(rows: readonly Served[]): JsonObject {
  return Object.fromEntries(
    rows.map((
      { codec, endpoint },
    ) => [endpoint.method.toLowerCase(), operationOf(codec, endpoint)]),
  );
}

const summaries: Readonly<Record<Operation, string>> = {
  "generate": "Generate an answer, whole or streamed",
  "embed": "Turn texts into vectors",
  "complete": "Go on with a text, whole or streamed",
  "generate-image": "Make pictures",
  "edit-image": "Change pictures",
  "speak": "Read a text out",
  "transcribe": "Write down what a recording says",
  "translate": "Write down in English what a recording says",
  "moderate": "Judge whether texts or pictures are harmful",
  "rerank": "Order documents by how well they answer a query",
  "count-tokens": "Count the input tokens of a request",
  "list-models": "List the models that the key may use",
  "get-model": "One model",
  "get-response": "A stored answer",
  "delete-response": "Delete a stored answer",
  "cancel-response": "Cancel an answer that is made in the background",
  "list-input-items": "The input of a stored answer",
  "create-conversation": "Begin a conversation",
  "get-conversation": "A conversation",
  "update-conversation": "Change what a conversation says of itself",
  "delete-conversation": "Delete a conversation",
  "create-conversation-items": "Add items to a conversation",
  "list-conversation-items": "The items of a conversation",
  "get-conversation-item": "One item of a conversation",
  "delete-conversation-item": "Delete an item of a conversation",
};

function operationOf(codec: Codec, endpoint: Endpoint): JsonObject {
  const parameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return {
    operationId: `${endpoint.method.toLowerCase()}${
      addressOf(endpoint).replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())
    }`,
    summary: summaries[endpoint.operation],
    tags: [codec.name],
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.method === "POST" && endpoint.operation !== "cancel-response" &&
      { requestBody: bodyOf(codec, endpoint) }),
    responses: { "200": answerOf(endpoint), default: errorAnswer },
  };
}

function bodyOf({ name, requestJsonSchema }: Codec, { operation }: Endpoint): JsonObject {
  const described = operation === "generate" && requestJsonSchema;
  const schema = described ? { $ref: `#/components/schemas/${name}` } : { type: "object" };
  return { required: true, content: { "application/json": { schema } } };
}

function answerOf({ operation }: Endpoint): JsonObject {
  const json = { "application/json": { schema: { type: "object" } } };
  const content = operation === "generate"
    ? { ...json, "text/event-stream": { schema: { type: "string" } } }
    : json;
  return {
    description: "The answer in the format of the address",
    headers: {
      "x-request-id": { schema: { type: "string" } },
      "tessera-notes": { schema: { type: "string" } },
    },
    content,
  };
}

function requestSchemas(): JsonObject {
  const described = Object.values(codecs).filter(({ requestJsonSchema }) => requestJsonSchema);
  return Object.fromEntries(described.map((codec) => [codec.name, codec.requestJsonSchema?.()]));
}

const errorCodes = Object.keys(errorCatalog) as ErrorCode[]; // the catalog's own keys

const errorSchema: JsonObject = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "type", "code"],
      properties: {
        message: { type: "string" },
        type: { type: "string" },
        code: { type: "string", enum: errorCodes },
        request_id: { type: "string" },
      },
    },
  },
};

const errorAnswer: JsonObject = {
  description: "An error in the format of the address",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

const securitySchemes: Readonly<Record<string, JsonObject>> = {
  bearer: { type: "http", scheme: "bearer" },
  xApiKey: { type: "apiKey", in: "header", name: "x-api-key" },
  xGoogApiKey: { type: "apiKey", in: "header", name: "x-goog-api-key" },
  xAltApiKey: { type: "apiKey", in: "header", name: "x-alt-api-key" },
  queryKey: { type: "apiKey", in: "query", name: "key" },
};
