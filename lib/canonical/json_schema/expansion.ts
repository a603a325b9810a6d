import { isJsonObject, type JsonObject, type JsonValue } from "../../json/mod.ts";
import { mergeSchemas } from "./merge.ts";
import { isTooDeep, type NoteLoss, type SchemaPath, type Translation } from "./translation.ts";
import { isNullSchema, typesOf } from "./types.ts";

/** A schema without references and `allOf`, if the dialect has none. */
interface Expanded {
  readonly schema: JsonObject | boolean;
  /** References followed so far: one that recurs is a recursion. */
  readonly references: ReadonlySet<string>;
}

interface Expansion {
  readonly translation: Translation;
  readonly at: SchemaPath;
  readonly lose: NoteLoss;
}

export function expand(value: JsonValue, expansion: Expansion): Expanded {
  const { at, lose } = expansion;
  if (typeof value === "boolean") return { schema: value, references: at.references };
  if (!isJsonObject(value)) {
    lose("schema", value, "notSchema");
    return { schema: true, references: at.references };
  }
  const next = step(value, expansion);
  if (!next) return { schema: value, references: at.references };
  return expand(next.schema, { ...expansion, at: { ...at, references: next.references } });
}

/** One rewriting step; undefined if nothing is left to do. */
function step(schema: JsonObject, expansion: Expansion): Expanded | undefined {
  const { refs, allOf, typeArrays } = expansion.translation.dialect;
  if (refs === "inline" && schema.$ref !== undefined) return inlineReference(schema, expansion);
  if (allOf === "merge" && schema.allOf !== undefined) return mergeAll(schema, expansion);
  return typeArrays === "nullable" ? collapseNullUnion(schema, expansion) : undefined;
}

function inlineReference({ $ref, ...siblings }: JsonObject, expansion: Expansion): Expanded {
  const { translation, at, lose } = expansion;
  const { references } = at;
  const target = typeof $ref === "string" ? resolveReference(translation.root, $ref) : undefined;
  if (typeof $ref !== "string" || target === undefined) {
    lose("$ref", $ref ?? null, "reference");
    return { schema: siblings, references };
  }
  if (references.has($ref)) return cutRecursion($ref, siblings, target, expansion);
  const followed = new Set([...references, $ref]);
  if (!isJsonObject(target)) {
    return { schema: target === false ? false : siblings, references: followed };
  }
  return { schema: join(siblings, target, expansion), references: followed };
}

/** A recursion cannot be inlined: its second level is only described. */
function cutRecursion(
  reference: string,
  siblings: JsonObject,
  target: JsonValue,
  { translation, at, lose }: Expansion,
): Expanded {
  lose("recursive", reference, "recursion");
  const types = typesOf(isJsonObject(target) ? target.type : undefined);
  const typed = translation.dialect.booleanSchemas === "replace";
  const [type = typed ? "object" : undefined] = typed || types.length === 1 ? types : [];
  const nullable = isJsonObject(target) && target.nullable === true ? { nullable: true } : {};
  return {
    schema: { ...(type && { type }), ...nullable, ...siblings },
    references: at.references,
  };
}

function mergeAll({ allOf, ...rest }: JsonObject, expansion: Expansion): Expanded {
  if (!Array.isArray(allOf)) {
    expansion.lose("allOf", allOf ?? null, "allOf");
    return { schema: rest, references: expansion.at.references };
  }
  let schema = rest;
  let references = expansion.at.references;
  for (const member of allOf) {
    const expanded = expand(member, expansion);
    if (expanded.schema === false) expansion.lose("allOf", false, "nothing");
    if (!isJsonObject(expanded.schema)) continue;
    references = new Set([...references, ...expanded.references]);
    schema = join(schema, expanded.schema, expansion);
  }
  return { schema, references };
}

/** Rewrites `anyOf` with null as `nullable`; a single other member replaces the union. */
function collapseNullUnion(schema: JsonObject, expansion: Expansion): Expanded | undefined {
  const { references } = expansion.at;
  for (const keyword of ["anyOf", "oneOf"]) {
    const { [keyword]: union, ...rest } = schema;
    if (!Array.isArray(union) || !union.some(isNullSchema)) continue;
    const others: JsonValue[] = union.filter((member: JsonValue) => !isNullSchema(member));
    const [only] = others;
    const base = { ...rest, nullable: true };
    if (others.length === 1 && isJsonObject(only)) {
      return { schema: join(base, only, expansion), references };
    }
    return {
      schema: others.length === 0 ? { ...rest, type: "null" } : { ...base, [keyword]: others },
      references,
    };
  }
  return undefined;
}

function join(base: JsonObject, extra: JsonObject, { translation, at, lose }: Expansion) {
  const names = isJsonObject(base.properties) ? Object.keys(base.properties).length : 0;
  if (isTooDeep(at)) translation.note("referenceChain", at.path);
  if (isTooDeep(at) || !translation.spend(1 + names, at)) return base;
  const { schema, conflicts } = mergeSchemas(base, extra);
  for (const [keyword, value] of conflicts) lose(keyword, value, "contradiction");
  return schema;
}

/**
 * The target of a local `$ref`: `#`, or a JSON pointer such as `#/$defs/Node` (RFC 6901). Undefined
 * for other references and missing targets.
 */
export function resolveReference(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let value: JsonValue | undefined = root;
  for (const token of reference.slice(2).split("/").map(decodeToken)) {
    value = memberOf(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}
