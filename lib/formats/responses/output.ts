import {
  type CanonicalRequest,
  type JsonObject,
  type OutputFormat,
  translateSchema,
  wholeVocabulary,
} from "../../canonical/mod.ts";
import { meetsStrictRules } from "../request/schemas.ts";
import { defined, objectOf, restOf, statesOnly, textOrNothing } from "../wire_value.ts";
import { keep, ownFields } from "./native.ts";
import type { Notes } from "./notes.ts";

/** `text`: the format and the verbosity of the output. */
export function decodeText(
  text: JsonObject,
): { output?: OutputFormat; verbosity?: "low" | "medium" | "high" } {
  const { verbosity } = text;
  const output = decodeOutput(objectOf(text.format));
  return {
    ...(output && { output }),
    ...((verbosity === "low" || verbosity === "medium" || verbosity === "high") && { verbosity }),
  };
}

function decodeOutput(wire: JsonObject): OutputFormat | undefined {
  switch (wire.type) {
    case "text":
      return { type: "text" };
    case "json_object":
      return { type: "json" };
    case "json_schema": {
      const name = textOrNothing(wire.name);
      const description = textOrNothing(wire.description);
      return {
        type: "schema",
        schema: objectOf(wire.schema),
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(typeof wire.strict === "boolean" && { strict: wire.strict }),
        ...keep(restOf(wire, ["type", "name", "schema", "description", "strict"])),
      };
    }
    default:
      return undefined;
  }
}

/** True if the canonical form of the output format has all of it. */
export function isKnownFormat(text: unknown): boolean {
  const format = objectOf(objectOf(text).format);
  const output = decodeOutput(format);
  return output !== undefined && (output.type === "schema" || statesOnly(format, ["type"]));
}

export function encodeText(request: CanonicalRequest, notes: Notes): { text?: JsonObject } {
  const own = objectOf(ownFields(request)?.text);
  const output = encodeOutput(request.output, ownFields(request) !== undefined, notes);
  const text = defined({ ...(output && { format: output }), ...own, verbosity: request.verbosity });
  return Object.keys(text).length > 0 ? { text } : {};
}

function encodeOutput(
  output: OutputFormat | undefined,
  own: boolean,
  notes: Notes,
): JsonObject | undefined {
  switch (output?.type) {
    case undefined:
      return undefined;
    case "text":
      return own ? { type: "text" } : undefined;
    case "json":
      return { type: "json_object" };
    case "schema":
      return encodeSchema(output, own, notes);
    default:
      return output satisfies never;
  }
}

function encodeSchema(
  output: Extract<OutputFormat, { type: "schema" }>,
  own: boolean,
  notes: Notes,
): JsonObject {
  notes.foreign(output.native, "output.native");
  const { schema, notes: lost } = own
    ? { schema: output.schema, notes: [] }
    : translateSchema(output.schema, wholeVocabulary, "output.schema");
  notes.addAll(lost);
  const keepsStrict = own || !output.strict || meetsStrictRules(schema);
  if (!keepsStrict) notes.add("outputStrict");
  return defined({
    ...ownFields(output),
    type: "json_schema",
    name: output.name ?? "response",
    description: output.description,
    schema,
    strict: keepsStrict ? output.strict : false,
  });
}
