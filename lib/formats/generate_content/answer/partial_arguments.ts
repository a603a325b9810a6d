import type { JsonObject, JsonValue } from "../../../canonical/mod.ts";
import { isEmpty, listOf, objectOf, objectsOf, textOf } from "../../wire_value.ts";

type Node = Record<string, unknown> | unknown[];

const depthMax = 64;
const itemsMax = 10_000;

/**
 * The arguments of one call that the vendor's cloud streams value by value, each under its JSON
 * path. Pieces of a string are joined; values at an invalid path are left out.
 */
export class PartialArguments {
  readonly #root: Record<string, unknown> = Object.create(null);

  add(partialArgs: JsonValue | undefined): void {
    for (const partial of objectsOf(partialArgs)) {
      const keys = keysOf(textOf(partial.jsonPath));
      if (keys) place(this.#root, keys, partial);
    }
  }

  /** Adds arguments that arrived whole beside the pieces. */
  addWhole(args: JsonValue | undefined): void {
    for (const [key, value] of Object.entries(objectOf(args))) this.#root[key] = value;
  }

  /** The JSON text of all arguments. */
  text(): string {
    return JSON.stringify(this.#root);
  }
}

/** Returns true if a wire call is a fragment. */
export function isPartial(call: JsonObject): boolean {
  return listOf(call.partialArgs).length > 0 || call.willContinue === true || isEmpty(call);
}

function place(
  root: Record<string, unknown>,
  keys: readonly (string | number)[],
  partial: JsonObject,
) {
  let node: Node = root;
  for (const [depth, key] of keys.slice(0, -1).entries()) {
    const present: unknown = read(node, key);
    const next: Node = isNode(present)
      ? present
      : typeof keys[depth + 1] === "number"
      ? []
      : Object.create(null);
    write(node, key, next);
    node = next;
  }
  const last = keys[keys.length - 1];
  const before = read(node, last);
  const value = valueOf(partial);
  const joins = typeof before === "string" && typeof value === "string";
  write(node, last, joins ? before + value : value);
}

function valueOf({ stringValue, numberValue, boolValue }: JsonObject): JsonValue {
  return stringValue ?? numberValue ?? boolValue ?? null;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function read(node: Node, key: string | number): unknown {
  return Array.isArray(node) ? node[Number(key)] : node[key];
}

/** Writes a value if the key fits its node: a name in an array is left out. */
function write(node: Node, key: string | number, value: unknown): void {
  if (!Array.isArray(node)) node[key] = value;
  else if (typeof key === "number" && key < itemsMax) node[key] = value;
}

/** The keys of `$.a.b[0]['c d']`. */
function keysOf(path: string): (string | number)[] | undefined {
  const keys: (string | number)[] = [];
  for (const [, name, index, quoted] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/g)) {
    keys.push(name ?? quoted ?? Number(index));
  }
  return keys.length > 0 && keys.length <= depthMax ? keys : undefined;
}
