import { playgroundKeyId, playgroundKeyName } from "../../accounts/mod.ts";
import { getApiKey } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { tagText } from "../../store/projects/mod.ts";
import type { RollupSubject } from "../../store/usage/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import type { SpendDimension, SpendQuery } from "./spend_query.ts";
import type { SpendRow } from "./spending.ts";

/** The name of a row; absent if what it names was deleted. */
export interface SpendName {
  readonly name?: string;
  /** The e-mail address of a key's owner. */
  readonly keyOwner?: string;
}

/** The names of the rows that have a subject, in order. */
export function spendNames(
  store: Store,
  { rows }: { readonly rows: readonly Pick<SpendRow, "subject">[] },
  { dimension, who }: SpendQuery,
): Promise<SpendName[]> {
  const subjects = rows.flatMap(({ subject }) => subject ? [subject] : []);
  return Promise.all(subjects.map(async (subject) => {
    const name = await nameOf(store, dimension, subject);
    const owner = dimension === "key" && who === "everyone"
      ? await getUser(store, subject.scope)
      : undefined;
    return { ...(name !== undefined && { name }), ...(owner && { keyOwner: owner.email }) };
  }));
}

async function nameOf(
  store: Store,
  dimension: SpendDimension,
  { scope, value }: RollupSubject,
): Promise<string | undefined> {
  if (dimension === "user") return (await getUser(store, value))?.email;
  if (dimension === "tag") return tagText({ key: scope, value });
  if (dimension !== "key") return value;
  if (value === playgroundKeyId(scope)) return playgroundKeyName;
  return (await getApiKey(store, value))?.name;
}

/** The log's field for the calls of a subject. */
export function logFieldOf(
  dimension: SpendDimension,
  { scope, value }: RollupSubject,
): Readonly<Record<string, string>> {
  return { [dimension]: dimension === "tag" ? tagText({ key: scope, value }) : value };
}
