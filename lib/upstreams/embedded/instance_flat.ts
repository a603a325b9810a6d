import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  mergeSchemas,
  resolveReference,
} from "../../canonical/mod.ts";

/** The root schema and the remaining budget of a search. */
export interface Search {
  readonly root: JsonObject;
  readonly left: { steps: number };
}

/** A schema without `$ref` and `allOf`, and the unions to choose one member of. */
interface Flat {
  readonly schema: JsonObject;
  readonly unions: readonly JsonArray[];
  readonly references: readonly string[];
}

/** The most rounds of a recursion, and the longest chain of references. */
const roundsMax = 3;
const referencesMax = 64;

/** Keywords that make two schemas incompatible if they contradict. */
const decisive: ReadonlySet<string> = new Set(["type", "enum", "const", "pattern"]);

/** The schema with each choice of its unions, the most likely first. */
export function* flattenings(
  schema: JsonObject,
  search: Search,
  references: readonly string[],
): Generator<Flat> {
  const flat = flatten(schema, search, references);
  if (flat) yield* choices(flat, search);
}

/** Returns true if a schema refers back to one on the current path. */
export function isRecursive(schema: JsonValue, references: readonly string[]): boolean {
  return isJsonObject(schema) && typeof schema.$ref === "string" &&
    references.includes(schema.$ref);
}

function* choices(flat: Flat, search: Search): Generator<Flat> {
  const [union, ...unions] = flat.unions;
  if (!union) return yield flat;
  for (const member of recursiveLast(union, flat.references)) {
    const chosen = join({ ...flat, unions }, member, search);
    if (chosen) yield* choices(chosen, search);
  }
}

function recursiveLast(union: JsonArray, references: readonly string[]): JsonArray {
  return union.toSorted((a, b) =>
    Number(isRecursive(a, references)) - Number(isRecursive(b, references))
  );
}

function flatten(
  { $ref, allOf, anyOf, oneOf, ...schema }: JsonObject,
  search: Search,
  references: readonly string[],
): Flat | undefined {
  if (--search.left.steps < 0) return undefined;
  const unions = [anyOf, oneOf].filter((union) => Array.isArray(union));
  let flat: Flat | undefined = { schema, unions, references };
  if (typeof $ref === "string") flat = followed($ref, flat, search);
  for (const member of Array.isArray(allOf) ? allOf : []) {
    flat = flat && join(flat, member, search);
  }
  return flat;
}

function followed(reference: string, flat: Flat, search: Search): Flat | undefined {
  const rounds = flat.references.filter((before) => before === reference).length;
  if (rounds >= roundsMax || flat.references.length >= referencesMax) return undefined;
  const target = resolveReference(search.root, reference) ?? true;
  return join({ ...flat, references: [...flat.references, reference] }, target, search);
}

/** The conjunction of both; undefined if they contradict. */
function join(flat: Flat, member: JsonValue, search: Search): Flat | undefined {
  if (!isJsonObject(member)) return member === false ? undefined : flat;
  const other = flatten(member, search, flat.references);
  if (!other) return undefined;
  search.left.steps -= sizeOf(flat);
  const { schema, conflicts } = mergeSchemas(flat.schema, other.schema);
  if (conflicts.some(([keyword]) => decisive.has(keyword))) return undefined;
  return { schema, unions: [...flat.unions, ...other.unions], references: other.references };
}

/** The cost of a join, which grows with the size of the schema. */
function sizeOf({ schema: { properties }, unions }: Flat): number {
  const names = isJsonObject(properties) ? Object.keys(properties).length : 0;
  return (names + unions.length) >> 3;
}
