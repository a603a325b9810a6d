import { z } from "zod";
import type { FormatName, JsonObject } from "../canonical/mod.ts";
import { relayedEndpoint } from "../formats/relayed/mod.ts";
import type { Endpoint, Operation } from "../formats/wire.ts";
import type { ServedEndpoint } from "../http/endpoints.ts";
import { type EventType, eventTypes } from "../webhooks/mod.ts";
import { version } from "../version.ts";
import { answerSchemas, errorResponses, responsesOf } from "./description/answers.ts";
import { operatorPaths } from "./description/operators.ts";
import { parametersOf, requestBodyOf, requestSchemas } from "./description/requests.ts";
import { servedEndpoints } from "./served.ts";

/** The part of the document that describes the management API. */
export interface ManagementPart {
  readonly tags: readonly JsonObject[];
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
  readonly securitySchemes: JsonObject;
}

/**
 * Builds the OpenAPI 3.1 document from the tables and schemas that serve the API, and adds the
 * management API if it is given.
 */
export function openapi(management?: ManagementPart): JsonObject {
  const paths = Map.groupBy(servedEndpoints, ({ endpoint }) => addressOf(endpoint));
  return {
    openapi: "3.1.0",
    info: {
      title: "Tessera",
      version,
      description: "A model gateway: one key, four wire formats, any upstream",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [...tags, ...management?.tags ?? []],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: {
      ...Object.fromEntries([...paths].map(([path, rows]) => [path, methodsOf(rows)])),
      ...operatorPaths,
      ...management?.paths,
    },
    webhooks: eventDescriptions(),
    components: {
      securitySchemes: { ...securitySchemes, ...management?.securitySchemes },
      schemas: { ...answerSchemas, ...requestSchemas(), ...management?.schemas },
      responses: errorResponses(),
    },
  };
}

function addressOf({ path, verb }: Endpoint): string {
  return verb ? `${path}:${verb}` : path;
}

function methodsOf(rows: readonly ServedEndpoint[]): JsonObject {
  return Object.fromEntries(
    rows.map((row) => [row.endpoint.method.toLowerCase(), operationOf(row)]),
  );
}

function operationOf(served: ServedEndpoint): JsonObject {
  const { endpoint } = served;
  const parameters = parametersOf(endpoint);
  const requestBody = requestBodyOf(served);
  return {
    operationId: operationId(endpoint),
    summary: summaries[endpoint.operation],
    tags: [tagOf(served)],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(served),
  };
}

/** The id of an operation, such as `postV1ChatCompletions`. */
function operationId(endpoint: Endpoint): string {
  const name = addressOf(endpoint).replace(
    /\W+(\w?)/g,
    (_, letter: string) => letter.toUpperCase(),
  );
  return `${endpoint.method.toLowerCase()}${name}`;
}

/** The ways to send a key, each accepted on every endpoint. */
const securitySchemes: Readonly<Record<string, JsonObject>> = {
  bearer: { type: "http", scheme: "bearer" },
  xApiKey: { type: "apiKey", in: "header", name: "x-api-key" },
  xAltApiKey: { type: "apiKey", in: "header", name: "x-alt-api-key" },
  xGoogApiKey: { type: "apiKey", in: "header", name: "x-goog-api-key" },
  queryKey: { type: "apiKey", in: "query", name: "key" },
};

const formatTexts = {
  "chat-completions": "Messages in, choices out; any model, whichever format its upstream has",
  responses: "Items in, items out, with stored responses and conversations",
  messages: "Messages of content blocks in, content blocks out, and the token counter",
  "generate-content": "Contents in, candidates out, with the model in the path",
} as const satisfies Record<FormatName, string>;

const relayed = "passed through";
const ownKey = "your key";

/** The groups of operations in the reference. */
const tags: JsonObject[] = [
  ...Object.entries(formatTexts).map(([name, description]) => ({ name, description })),
  {
    name: relayed,
    description: "Sent unconverted to an upstream of the model that has the endpoint",
  },
  { name: ownKey, description: "Usage, limits and what remains of the calling key" },
  { name: "operators", description: "Health checks, metrics and this reference; no key needed" },
];

function tagOf({ codec, endpoint }: ServedEndpoint): string {
  if (endpoint.isOwnKey) return ownKey;
  return relayedEndpoint(endpoint.operation) ? relayed : codec.name;
}

/** One-line summaries of the operations. */
const summaries: Readonly<Record<Operation, string>> = {
  "generate": "Generate an answer, whole or streamed",
  "embed": "Create embeddings",
  "complete": "Complete a text, whole or streamed",
  "generate-image": "Make pictures",
  "edit-image": "Change pictures",
  "speak": "Create speech from text",
  "transcribe": "Transcribe a recording",
  "translate": "Translate a recording into English text",
  "moderate": "Check texts or images for harmful content",
  "rerank": "Rank documents by relevance to a query",
  "decide": "Answer questions about an input with probabilities",
  "count-tokens": "Count the input tokens of a request",
  "compact-response": "Replace a conversation by a sealed summary",
  "list-models": "List the models that the key may use",
  "get-model": "One model",
  "get-usage": "The key's usage by day and model, its limits and what remains",
  "get-key": "The key's name, spending and limits",
  "get-subscription": "The key's limit, as older clients read it",
  "get-billing-usage": "The key's cost in cents, as older clients read it",
  "get-response": "A stored answer",
  "delete-response": "Delete a stored response",
  "cancel-response": "Cancel a background response",
  "list-input-items": "List the input items of a stored response",
  "create-conversation": "Begin a conversation",
  "get-conversation": "A conversation",
  "update-conversation": "Update the metadata of a conversation",
  "delete-conversation": "Delete a conversation",
  "create-conversation-items": "Add items to a conversation",
  "list-conversation-items": "List the items of a conversation",
  "get-conversation-item": "Get an item of a conversation",
  "delete-conversation-item": "Delete an item of a conversation",
};

const eventAnswers: JsonObject = {
  "2XX": { description: "The event is received; any other answer is retried" },
  "410": { description: "The receiver is gone: the webhook is disabled" },
};

const eventHeaders: JsonObject[] = [
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
function eventDescriptions(): JsonObject {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, row]) => [type, { post: eventOperation(type, row) }]),
  );
}

function eventOperation(
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
    parameters: eventHeaders,
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: eventAnswers,
  };
}
