import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type OutputFormat,
  translateSchema,
  wholeVocabulary,
  wireToolName,
} from "../../canonical/mod.ts";
import { meetsStrictRules } from "../request/schemas.ts";
import {
  defined,
  flagOrNothing,
  isEmpty,
  objectOf,
  objectsOf,
  statesOnly,
  textOf,
  textOrNothing,
} from "../wire_value.ts";
import { extraMembers, keep, ownFields } from "./native.ts";
import { type RequestContext, toolNamePattern } from "./request_context.ts";

const schemaMembers = new Set(["name", "description", "schema", "strict"]);

/** `response_format`; one that says more stays among the native members. */
export function decodeOutput(format: unknown): { output?: OutputFormat } {
  const wire = objectOf(format);
  switch (wire.type) {
    case "text":
      return { output: { type: "text" } };
    case "json_object":
      return { output: { type: "json" } };
    case "json_schema":
      return { output: decodeSchema(objectOf(wire.json_schema)) };
    default:
      return {};
  }
}

export function encodeOutput(
  request: CanonicalRequest,
  context: RequestContext,
): { response_format?: JsonObject } {
  const { output } = request;
  if (ownFields(request)?.response_format) return {};
  switch (output?.type) {
    case undefined:
      return {};
    case "text":
      return context.own ? { response_format: { type: "text" } } : {};
    case "json":
      return { response_format: { type: "json_object" } };
    case "schema":
      return {
        response_format: { type: "json_schema", json_schema: encodeSchema(output, context) },
      };
    default:
      return output satisfies never;
  }
}

/** JSON mode is refused unless the word JSON occurs in the prompt. */
export function withJsonWord(
  messages: readonly JsonObject[],
  { output }: CanonicalRequest,
  { own, notes }: RequestContext,
): readonly JsonObject[] {
  if (own || output?.type !== "json" || messages.some(saysJson)) return messages;
  notes.add("jsonMode");
  return [{ role: "system", content: "Respond with JSON." }, ...messages];
}

type SchemaOutput = Extract<OutputFormat, { type: "schema" }>;

function decodeSchema(wire: JsonObject): SchemaOutput {
  return {
    type: "schema",
    schema: objectOf(wire.schema),
    ...defined({
      name: textOrNothing(wire.name),
      description: textOrNothing(wire.description),
      strict: flagOrNothing(wire.strict),
    }),
    ...keep(extraMembers(wire, schemaMembers)),
  };
}

function encodeSchema(output: SchemaOutput, context: RequestContext): JsonObject {
  const { own, notes } = context;
  notes.foreign(output.native, "output.native");
  const { schema, notes: lost } = own
    ? { schema: output.schema, notes: [] }
    : translateSchema(output.schema, wholeVocabulary, "output.schema");
  notes.addAll(lost);
  const strict = own || !output.strict || meetsStrictRules(schema);
  if (!strict) notes.add("outputStrict");
  return defined({
    ...ownFields(output),
    name: schemaName(output, context),
    description: output.description,
    schema: own && isEmpty(schema) ? undefined : schema,
    strict: strict ? output.strict : undefined,
  });
}

function schemaName({ name }: SchemaOutput, { own, notes }: RequestContext): string | undefined {
  if (own) return name;
  const safe = wireToolName({ name: name || "response" }, toolNamePattern);
  if (name && safe !== name) notes.add("outputName");
  return safe;
}

function saysJson({ content }: JsonObject): boolean {
  const texts = typeof content === "string"
    ? [content]
    : objectsOf(content).map(({ text }) => textOf(text));
  return texts.some((text) => /json/i.test(text));
}

/** Returns true if the canonical form of the output format has all of it. */
export function isKnownOutput(format: unknown): boolean {
  return isJsonObject(format) && decodeOutput(format).output !== undefined &&
    statesOnly(format, ["type", "json_schema"]);
}
