import { dropped, emulated, type Note, repaired } from "../note.ts";

/** Every loss and change of a schema's translation. `schema` is the schema's own path. */
export const schemaNotes = {
  tooLarge: dropped("schema", "The schema is too large or too deep; any value is allowed here"),
  referenceChain: dropped("schema", "The chain of references is too long"),
  objectRoot: repaired("schema.type", "The target accepts only objects"),
  booleanSchema: emulated("schema", "The target has no boolean schemas"),
  anyType: emulated("schema.type", "Any value is allowed; the target needs a type"),
  oneOf: emulated("schema.oneOf", "The target has no oneOf, so anyOf replaces it"),
  unionBeside: described("schema.oneOf", "The target has no oneOf"),
  allOf: described("schema.allOf", "Not a list of schemas"),
  nothing: described("schema.allOf", "No value is allowed here"),
  contradiction: described("schema.keyword", "The schemas contradict each other"),
  reference: described("schema.$ref", "The reference has no target in the schema"),
  recursion: described(
    "schema.recursive",
    "The target has no references, so the recursion ends here",
  ),
  notSchema: described("schema.schema", "Not a schema"),
  type: described("schema.type", "Not a type of JSON Schema"),
  nullType: described("schema.type", "The target has no null type"),
  typeList: described("schema.type", "The target has no lists of types"),
  enumList: described("schema.enum", "Not a list of values"),
  enumValues: described("schema.enum", "The target's enums have only strings"),
  exclusiveLimit: described("schema.exclusiveMinimum", "The target has inclusive limits only"),
  tuple: described("schema.prefixItems", "The target has no tuples"),
  stringFormat: described("schema.format", "The target does not have this format"),
  required: described("schema.required", "Not a list of property names"),
  keyword: described("schema.keyword", "The target does not support this keyword"),
  keywordMap: described("schema.keyword", "Not an object of schemas"),
  keywordList: described("schema.keyword", "Not a list of schemas"),
  keywordKind: described("schema.keyword", "Not a valid value of the keyword"),
} as const satisfies Record<string, Note>;

export type SchemaNoteId = keyof typeof schemaNotes;

/** A constraint that moves into the description. */
function described(path: string, reason: string) {
  return emulated(path, `${reason}; the description states it`);
}
