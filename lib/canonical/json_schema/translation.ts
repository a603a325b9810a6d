import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/mod.ts";
import { dropped, emulated, type Note, repaired } from "../note.ts";

/** The schemas that a target accepts: an allow-list, so that a new keyword never breaks a request. */
export interface SchemaDialect {
  /** Every allowed keyword. */
  readonly keywords: ReadonlySet<string>;
  readonly refs: "keep" | "inline";
  readonly constants: "keep" | "enum";
  readonly oneOf: "keep" | "any-of";
  readonly allOf: "keep" | "merge";
  readonly typeArrays: "keep" | "nullable" | "any-of";
  readonly enumValues: "any" | "strings";
  /** Allowed values of `format`; absent: any. */
  readonly stringFormats?: ReadonlySet<string>;
  /** `true`, `false` and `{}` as sub-schemas. */
  readonly booleanSchemas: "keep" | "replace";
  /** Adds `type: "object"` and `properties` at the root if they are missing. */
  readonly objectRoot: boolean;
}

const everyKeyword = [
  "$schema $id $ref $defs $anchor $dynamicRef $dynamicAnchor $comment definitions",
  "type enum const default title description examples format deprecated readOnly writeOnly nullable",
  "properties required additionalProperties patternProperties propertyNames unevaluatedProperties",
  "minProperties maxProperties dependentRequired dependentSchemas dependencies",
  "items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems",
  "unevaluatedItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
  "minLength maxLength pattern contentEncoding contentMediaType contentSchema",
  "allOf anyOf oneOf not if then else",
].join(" ").split(" ");

/** All of JSON Schema, for targets that only require an object at the root. */
export const wholeVocabulary: SchemaDialect = {
  keywords: new Set(everyKeyword),
  refs: "keep",
  constants: "keep",
  oneOf: "keep",
  allOf: "keep",
  typeArrays: "keep",
  enumValues: "any",
  booleanSchemas: "keep",
  objectRoot: true,
};

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

/** Maximum number of values in a schema, and maximum depth. */
const valuesMax = 200_000;
const depthMax = 128;
/**
 * Maximum work: schemas written, keywords joined, characters copied (64 count as one), so that
 * references cannot explode.
 */
const workMax = 100_000;
const charsPerWork = 64;
const notesMax = 200;
const pathCharsMax = 300;

/** A position in the schema, with the references that led to it. */
export interface SchemaPath {
  readonly path: string;
  readonly references: ReadonlySet<string>;
  readonly depth: number;
}

/** A schema being rewritten: its keywords, and callbacks for the losses. */
export interface SchemaDraft {
  readonly keywords: Map<string, JsonValue>;
  readonly lose: NoteLoss;
  /** Notes a rewritten keyword, without a description. */
  readonly remark: (keyword: string, id: SchemaNoteId) => void;
}

/** Notes a lost keyword and adds it to the description. */
export type NoteLoss = (keyword: string, value: JsonValue, id: SchemaNoteId) => void;

/** The state of one translation. */
export class Translation {
  readonly #notes = new Map<string, Note>();
  #work = 0;

  constructor(readonly root: JsonObject, readonly dialect: SchemaDialect) {}

  /** Counts work; returns false once the maximum is exceeded, and notes that the first time. */
  spend(work: number, { path }: SchemaPath): boolean {
    const exhausted = this.#work > workMax;
    this.#work += work;
    if (this.#work <= workMax) return true;
    if (!exhausted) this.note("tooLarge", path);
    return false;
  }

  /** Adds a note once for each path and action. */
  note(id: SchemaNoteId, path: string): void {
    const { action, reason } = schemaNotes[id];
    const where = path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path;
    const key = `${action} ${where}`;
    if (this.#notes.size < notesMax && !this.#notes.has(key)) {
      this.#notes.set(key, { path: where, action, reason });
    }
  }

  notes(): readonly Note[] {
    return [...this.#notes.values()];
  }
}

/** The cost of copying a keyword's value. */
export function workOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + Math.floor(value.length / charsPerWork);
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Math.floor(JSON.stringify(value).length / charsPerWork);
}

export function isTooDeep({ depth, references }: SchemaPath): boolean {
  return depth > depthMax || references.size > depthMax;
}

/** True if a schema is small enough to be walked; visits each value once, level by level. */
export function isWalkableSchema(schema: JsonObject): boolean {
  let values = 0;
  let level: readonly (JsonObject | JsonArray)[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax * 2) return false;
    const below: (JsonObject | JsonArray)[] = [];
    for (const holder of level) {
      for (const value of isJsonObject(holder) ? Object.values(holder) : holder) {
        if (++values > valuesMax) return false;
        if (typeof value === "object" && value !== null) below.push(value);
      }
    }
    level = below;
  }
  return true;
}
