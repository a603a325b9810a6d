import { credentialsOf } from "../../upstreams/mod.ts";

/** Maximum number of keys of one upstream. */
const upstreamKeysMax = 50;

/** The change of an upstream's keys: keys to add, or one to remove. */
export type KeyChange =
  | { readonly type: "add"; readonly keys: readonly string[] }
  /** The key's name in the log. */
  | { readonly type: "remove"; readonly id: string }
  | { readonly type: "invalid" };

/** Reads `remove`, or `credentials` with a key on each line. */
export function readKeyChange(form: URLSearchParams): KeyChange {
  const id = form.get("remove");
  if (id !== null) return { type: "remove", id };
  const lines = (form.get("credentials") ?? "").split(/[\r\n]+/).map((line) => line.trim());
  const keys = [...new Set(lines.filter((line) => line !== ""))];
  return keys.length > 0 && areKeys(keys) ? { type: "add", keys } : { type: "invalid" };
}

/** The keys after the change; undefined if there would be too many, or if the form is empty. */
export function keysAfter(
  keys: readonly string[],
  change: KeyChange,
): readonly string[] | undefined {
  switch (change.type) {
    case "add": {
      const all = [...new Set([...keys, ...change.keys])];
      return all.length > upstreamKeysMax ? undefined : all;
    }
    case "remove":
      return credentialsOf({ credentials: keys }).filter(({ id }) => id !== change.id)
        .map(({ secret }) => secret);
    case "invalid":
      return undefined;
    default:
      return change satisfies never;
  }
}

export function areKeys(keys: readonly string[]): boolean {
  return keys.length <= upstreamKeysMax && keys.every((one) => /^[\x21-\x7e]+$/.test(one));
}
