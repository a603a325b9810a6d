import type { JsonObject } from "../canonical/mod.ts";
import type { Endpoint } from "../formats/wire.ts";
import type { ServedEndpoint } from "../http/endpoints.ts";
import { answerSchemas, errorResponses, responsesOf } from "./description/answers.ts";
import { requestBodyOf, requestSchemas } from "./description/bodies.ts";
import { eventDescriptions } from "./description/events.ts";
import { operatorPaths } from "./description/operators.ts";
import { parametersOf } from "./description/parameters.ts";
import { summaries } from "./description/summaries.ts";
import { tagOf, tags } from "./description/tags.ts";
import { servedEndpoints } from "./served.ts";
import { version } from "./version.ts";

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
