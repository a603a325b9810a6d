import {
  isJsonObject,
  type JsonObject,
  type OutputFormat,
  translateSchema,
} from "../../canonical/mod.ts";
import { descriptionInstruction } from "../request/schemas.ts";
import { objectOf, restOf } from "../wire_value.ts";
import { keep, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";
import { closedSchema, strictSchemas } from "./schema_dialect.ts";

/** The output format, as the format's own member or as an instruction if it has none. */
interface EncodedOutput {
  readonly format?: JsonObject;
  readonly instruction?: string;
}

/** `output_config.format`, formerly `output_format`. */
export function decodeOutput(body: JsonObject): { output?: OutputFormat } {
  const wire = outputFormatOf(body);
  if (!wire || !isJsonObject(wire.schema) || wire.type !== "json_schema") return {};
  return {
    output: { type: "schema", schema: wire.schema, ...keep(restOf(wire, ["type", "schema"])) },
  };
}

export function outputFormatOf(body: JsonObject): JsonObject | undefined {
  const { format: inConfig } = objectOf(body.output_config);
  if (isJsonObject(inConfig)) return inConfig;
  return isJsonObject(body.output_format) ? body.output_format : undefined;
}

export function encodeOutput(
  output: OutputFormat | undefined,
  context: RequestContext,
): EncodedOutput {
  if (!output) return {};
  switch (output.type) {
    case "text":
      return {};
    case "json":
      context.notes.add("jsonMode");
      return {
        instruction: "Answer with one JSON object and nothing else: no words, no code fence.",
      };
    case "schema":
      return encodeSchema(output, context);
    default:
      return output satisfies never;
  }
}

type SchemaOutput = Extract<OutputFormat, { type: "schema" }>;

function encodeSchema(output: SchemaOutput, context: RequestContext): EncodedOutput {
  const { schema } = output;
  const { own, notes, traits } = context;
  if (own) return { format: { ...ownFields(output), type: "json_schema", schema } };
  notes.foreign(output.native, "output.native");
  if (!traits.structuredOutput) {
    notes.add("schemaMode");
    return { instruction: withDescription(instructionOf(schema), output) };
  }
  const instruction = descriptionInstruction(output);
  if (instruction) notes.add("outputDescription");
  const format = { type: "json_schema", schema: fittedSchema(schema, context) };
  return { format, ...(instruction && { instruction }) };
}

function withDescription(instruction: string, output: SchemaOutput): string {
  const description = descriptionInstruction(output);
  return description === undefined ? instruction : `${instruction}\n\n${description}`;
}

function fittedSchema(schema: JsonObject, { notes }: RequestContext): JsonObject {
  const translated = translateSchema(schema, strictSchemas, "output.schema");
  notes.addAll(translated.notes);
  const closed = closedSchema(translated.schema);
  if (closed.changed) notes.add("schemaClosed");
  return closed.schema;
}

function instructionOf(schema: JsonObject): string {
  return "Answer with JSON that is valid against this schema and nothing else: no words, no code " +
    `fence.\n${JSON.stringify(schema)}`;
}
