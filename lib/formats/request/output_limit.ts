import { type ReadText, withReadMember } from "../../json/mod.ts";

/**
 * Sets a limit under every name that states one, else under `unstated`; keeps every other byte of
 * the text.
 */
export function withLimit(
  read: ReadText,
  names: { readonly all: readonly string[]; readonly unstated: string },
  limit: number,
): ReadText {
  const { body } = read;
  const stated = names.all.filter((name) => body[name] !== undefined && body[name] !== null);
  const set = stated.length > 0 ? stated : [names.unstated];
  return set.reduce((changed, name) => withReadMember(changed, name, { value: limit }), read);
}
