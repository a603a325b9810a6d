import { type JsonObject, withMember } from "../canonical/mod.ts";

/**
 * The text of an object with a limit under every name that states one, else under `unstated`; every
 * other byte as it was.
 */
export function withLimit(
  { text, object }: { readonly text: string; readonly object: JsonObject },
  names: { readonly all: readonly string[]; readonly unstated: string },
  limit: number,
): string {
  const stated = names.all.filter((name) => object[name] !== undefined && object[name] !== null);
  const set = stated.length > 0 ? stated : [names.unstated];
  return set.reduce((changed, name) => withMember(changed, name, String(limit)), text);
}
