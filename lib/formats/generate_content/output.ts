import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type OutputFormat,
  translateSchema,
} from "../../canonical/mod.ts";
import { descriptionInstruction } from "../request/schemas.ts";
import { mark, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";
import { decodeSchema, encodeSchema, jsonSchemas } from "./schema_dialect.ts";
import { isFunction } from "./tools.ts";

interface DecodedOutput {
  readonly output?: OutputFormat;
  /** The members from which the output format was read. */
  readonly taken: readonly string[];
}

/** The output format of a request. `text/x.enum` and other native forms stay unchanged. */
export function decodeOutput(config: JsonObject): DecodedOutput {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  if (typeof type === "string" && type !== "application/json") {
    return type === "text/plain"
      ? { output: { type: "text" }, taken: ["responseMimeType"] }
      : { taken: [] };
  }
  if (isJsonObject(responseJsonSchema)) {
    const native = mark({ responseJsonSchema: null });
    return {
      output: { type: "schema", schema: responseJsonSchema, ...native },
      taken: ["responseMimeType", "responseJsonSchema"],
    };
  }
  if (isJsonObject(responseSchema)) {
    const native = mark({ responseSchema: null });
    return {
      output: { type: "schema", schema: decodeSchema(responseSchema), ...native },
      taken: ["responseMimeType", "responseSchema"],
    };
  }
  return type === undefined || type === null
    ? { taken: [] }
    : { output: { type: "json" }, taken: ["responseMimeType"] };
}

export function encodeOutput(request: CanonicalRequest, context: RequestContext): JsonObject {
  const { output } = request;
  if (output?.type === "schema") context.notes.foreign(output.native, "output.native");
  if (isAskedInWords(request, context)) {
    context.notes.add("outputInstruction");
    return {};
  }
  switch (output?.type) {
    case undefined:
      return {};
    case "text":
      return context.own ? { responseMimeType: "text/plain" } : {};
    case "json":
      return { responseMimeType: "application/json" };
    case "schema":
      return { responseMimeType: "application/json", ...encodeOutputSchema(output, context) };
    default:
      return output satisfies never;
  }
}

function encodeOutputSchema(
  output: OutputFormat & { readonly type: "schema" },
  { notes }: RequestContext,
): JsonObject {
  const own = ownFields(output);
  if (own && "responseSchema" in own) return { responseSchema: encodeSchema(output.schema) };
  if (own) return { responseJsonSchema: output.schema };
  if (descriptionInstruction(output)) notes.add("outputDescription");
  const translated = translateSchema(output.schema, jsonSchemas, "output.schema");
  notes.addAll(translated.notes);
  return { responseJsonSchema: translated.schema };
}

/** Models before the third generation refuse JSON answers beside functions. */
function isAskedInWords(
  { output, tools, toolChoice }: CanonicalRequest,
  { own, traits }: RequestContext,
): boolean {
  return !own && !traits.mixesTools && (output?.type === "json" || output?.type === "schema") &&
    toolChoice?.type !== "none" && tools.some(isFunction);
}

/** The rules for the output that are sent as an instruction. */
export function outputInstructions(request: CanonicalRequest, context: RequestContext): string[] {
  const description = descriptionInstruction(request.output);
  const asked = isAskedInWords(request, context) ? [outputInstruction(request)] : [];
  return description === undefined ? asked : [...asked, description];
}

function outputInstruction({ output }: CanonicalRequest): string {
  const schema: JsonValue | undefined = output?.type === "schema" ? output.schema : undefined;
  return schema === undefined
    ? "Answer with one JSON object and nothing else."
    : `Answer with JSON and nothing else. It must fit this JSON Schema: ${JSON.stringify(schema)}`;
}
