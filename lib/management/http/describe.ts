import type { z } from "zod";
import { errorCatalog, type JsonObject } from "../../canonical/mod.ts";
import type { ManagementPart } from "../../operations/openapi.ts";
import { type ManagementErrorCode, managementErrors } from "./error.ts";
import { type ApiOperation, comparesEtag } from "./operation.ts";
import { basePath } from "./route_table.ts";
import { jsonSchemaOf, namedSchemas } from "./schema.ts";

/** Describes operations, from the declarations that serve them. */
export function describeOperations(operations: readonly ApiOperation[]): ManagementPart {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  const paths = [...byPath].map(([path, ofPath]) => [
    basePath + path,
    Object.fromEntries(ofPath.map((one) => [one.method.toLowerCase(), operationOf(one)])),
  ]);
  const tags = [...new Set(operations.map(tagOf))];
  return {
    tags: tags.map((name) => ({ name, description: "Management API, with an API token" })),
    paths: Object.fromEntries(paths),
    schemas: { ...namedSchemas(), ManagementError: errorSchema },
    securitySchemes: {
      apiToken: { type: "http", scheme: "bearer", description: "An API token, `sk-admin-…`" },
    },
  };
}

/** The group of an operation: its resource. */
function tagOf({ path }: ApiOperation): string {
  return `management ${path.split("/")[1] ?? ""}`.trim();
}

function operationOf(operation: ApiOperation): JsonObject {
  const { method, path, summary, scope, body } = operation;
  return {
    operationId: `${method.toLowerCase()}Management${nameOf(path)}`,
    summary,
    ...(scope && { description: `Scope: \`${scope}\`` }),
    tags: [tagOf(operation)],
    security: [{ apiToken: [] }],
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { "application/json": { schema: jsonSchemaOf(body, "input") } },
      },
    }),
    responses: responsesOf(operation),
  };
}

/** Such as `KeysIdRotate`. */
function nameOf(path: string): string {
  return path.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());
}

function parametersOf(operation: ApiOperation): JsonObject[] {
  const { method, path, query } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    description,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  });
  return [
    ...inPath,
    ...(query ? queryParameters(query) : []),
    ...(method === "POST"
      ? [header("Idempotency-Key", "Repetitions within 24 hours get the same answer")]
      : []),
    ...(comparesEtag(operation)
      ? [header("If-Match", "Refuses the change unless the `ETag` is this")]
      : []),
  ];
}

function queryParameters(query: z.ZodType): JsonObject[] {
  const { properties = {}, required = [] } = jsonSchemaOf(query, "input") as {
    readonly properties?: Record<string, JsonObject>; // a strict object's
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function responsesOf(operation: ApiOperation): JsonObject {
  const byStatus = Map.groupBy(errorsOf(operation), statusOf);
  const errors = [...byStatus].sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), errorResponse(codes)]);
  return { ...successOf(operation), ...Object.fromEntries(errors) };
}

function successOf({ answer, status = 200 }: ApiOperation): JsonObject {
  if (answer === undefined) return { "204": { description: "Done", headers: idHeader } };
  const schema = jsonSchemaOf(answer, "output");
  return {
    [String(status)]: {
      description: "The answer",
      headers: { ...idHeader, etag: { description: "Of single objects", schema: text } },
      content: { "application/json": { schema } },
    },
  };
}

const text: JsonObject = { type: "string" };
const idHeader: JsonObject = {
  "x-request-id": { description: "The request's ID in the gateway's log", schema: text },
};

/** The errors that every operation may have. */
const common: readonly ManagementErrorCode[] = [
  "invalid_request",
  "ambiguous_name",
  "invalid_api_key",
  "ip_not_allowed",
  "scope_missing",
  "method_not_allowed",
  "internal_error",
  "store_unavailable",
];

function errorsOf({ method, path, body, errors = [] }: ApiOperation): ManagementErrorCode[] {
  return [
    ...common,
    ...(path.includes("{") ? ["object_not_found", "unknown_endpoint"] as const : []),
    ...(method === "GET" ? [] : ["rate_limit_exceeded"] as const),
    ...(method === "POST" ? ["request_in_progress", "idempotency_key_reused"] as const : []),
    ...(body
      ? ["invalid_json", "body_timeout", "body_too_large", "body_too_complex"] as const
      : []),
    ...(body ? ["unsupported_media_type"] as const : []),
    ...errors,
  ];
}

function statusOf(code: ManagementErrorCode): number {
  return rows[code].status;
}

const rows: Readonly<
  Record<ManagementErrorCode, { readonly status: number; readonly meaning: string }>
> = { ...errorCatalog, ...managementErrors };

function errorResponse(codes: readonly ManagementErrorCode[]): JsonObject {
  return {
    description: [...new Set(codes)].map((code) => `\`${code}\`: ${rows[code].meaning}`).join(
      "\n\n",
    ),
    headers: idHeader,
    content: { "application/json": { schema: { $ref: "#/components/schemas/ManagementError" } } },
  };
}

const errorSchema: JsonObject = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["type", "code", "message", "request_id"],
      properties: {
        type: text,
        code: { type: "string", enum: Object.keys(rows).sort() },
        message: text,
        param: { type: "string", description: "The field at fault" },
        request_id: text,
      },
    },
  },
};
