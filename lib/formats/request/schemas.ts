import { isJsonObject, type JsonObject, type OutputFormat } from "../../canonical/mod.ts";
import { listOf } from "../wire_value.ts";

const depthMax = 32;

/** The schema of a strict tool without parameters. */
export const noParameters: JsonObject = {
  type: "object",
  properties: {},
  required: [],
  additionalProperties: false,
};

/** Keywords that strict mode accepts according to OpenAI's documentation; it may refuse any other. */
const strictKeywords: ReadonlySet<string> = new Set([
  ..."$schema $ref $defs definitions type enum const title description default format".split(" "),
  ..."properties required additionalProperties items anyOf minItems maxItems pattern".split(" "),
  ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength".split(" "),
]);

/** True if strict mode would accept the schema: every object closed, every property required. */
export function meetsStrictRules(schema: JsonObject, depth = 0): boolean {
  if (depth > depthMax) return false;
  if (!Object.keys(schema).every((keyword) => strictKeywords.has(keyword))) return false;
  return isClosed(schema) &&
    subschemas(schema).every((inner) => meetsStrictRules(inner, depth + 1));
}

function isClosed({ properties, required, additionalProperties }: JsonObject): boolean {
  if (!isJsonObject(properties)) return true;
  const names = new Set(listOf(required));
  return additionalProperties === false && Object.keys(properties).every((name) => names.has(name));
}

function subschemas(schema: JsonObject): JsonObject[] {
  const maps = [schema.properties, schema.$defs, schema.definitions].filter(isJsonObject);
  const lists = listOf(schema.anyOf);
  return [...maps.flatMap(Object.values), ...lists, schema.items].filter(isJsonObject);
}

/**
 * The description of an answer's schema as an instruction, for a target without a member for it;
 * undefined if the schema already contains it.
 */
export function descriptionInstruction(output: OutputFormat | undefined): string | undefined {
  if (output?.type !== "schema" || !output.description) return undefined;
  const { description, schema } = output;
  return schema.description === description
    ? undefined
    : `Description of the answer: ${description}`;
}
