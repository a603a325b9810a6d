import { playgroundKeyId, playgroundKeyName } from "../../accounts/mod.ts";
import { type ApiKey, getApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { RollupSubject } from "../../store/usage/mod.ts";
import { getUser, listUsers, type User } from "../../store/users/mod.ts";
import { subjectText } from "../charts/subject_colors.ts";
import type { SpendDimension, SpendQuery } from "./spend_query.ts";
import type { Spending } from "./spending.ts";

/** The name of a row; absent if what it names was deleted. */
export interface SpendName {
  readonly name?: string;
  /** The e-mail address of a key's owner. */
  readonly keyOwner?: string;
}

type NameQuery = Pick<SpendQuery, "dimension" | "who" | "projectId">;

/** The records that names are read from. */
interface Records {
  readonly user: (id: string) => Promise<User | undefined> | User | undefined;
  readonly key: (id: string) => Promise<ApiKey | undefined> | ApiKey | undefined;
}

/** From this number of subjects on, all records are read at once. */
const listedFrom = 15;

async function recordsFor(
  store: Store,
  count: number,
  dimension: SpendDimension,
): Promise<Records> {
  if (count < listedFrom || (dimension !== "user" && dimension !== "key")) {
    return { user: (id) => getUser(store, id), key: (id) => getApiKey(store, id) };
  }
  const [users, keys] = await Promise.all([
    listUsers(store),
    dimension === "key" ? listApiKeys(store) : [],
  ]);
  const byId = new Map(users.map((user) => [user.id, user]));
  const keysById = new Map(keys.map((key) => [key.id, key]));
  return { user: (id) => byId.get(id), key: (id) => keysById.get(id) };
}

/** The names of subjects, in order. */
export async function spendNames(
  store: Store,
  subjects: readonly RollupSubject[],
  query: NameQuery,
): Promise<SpendName[]> {
  const { dimension, who, projectId } = query;
  const hasOwner = dimension === "key" && (who === "everyone" || projectId !== undefined);
  const records = await recordsFor(store, subjects.length, dimension);
  return await Promise.all(
    subjects.map(async (subject) =>
      dimension === "key"
        ? await keyName(records, subject, hasOwner)
        : { name: await nameOf(records, dimension, subject) }
    ),
  );
}

/** The names of subjects, by `subjectText`. */
export type SpendNames = ReadonlyMap<string, SpendName>;

/** The names of all subjects that the chart and the table show. */
export async function namesIn(
  store: Store,
  { top, rows, ranks }: Spending,
  query: NameQuery,
): Promise<SpendNames> {
  const shown = [...top, ...rows, ...ranks.flatMap((rank) => rank.top)];
  const found = shown.flatMap(({ subject }) => subject ? [subject] : []);
  const distinct = [...new Map(found.map((subject) => [subjectText(subject), subject])).values()];
  const names = await spendNames(store, distinct, query);
  return new Map(distinct.map((subject, at) => [subjectText(subject), names[at]]));
}

async function nameOf(
  records: Records,
  dimension: SpendDimension,
  subject: RollupSubject,
): Promise<string | undefined> {
  if (dimension === "user") return (await records.user(subject.value))?.email;
  return subjectText(subject);
}

/** A key's name, and its owner; the playground's calls of an account are a key of their own. */
async function keyName(
  records: Records,
  { dimension, scope, value }: RollupSubject,
  hasOwner: boolean,
): Promise<SpendName> {
  const apiKey = await records.key(value);
  const accountId = dimension === "key" ? scope : apiKey?.accountId ?? playgroundOwner(value);
  const owner = hasOwner && accountId !== undefined ? await records.user(accountId) : undefined;
  const isPlayground = accountId !== undefined && value === playgroundKeyId(accountId);
  const name = isPlayground ? playgroundKeyName : apiKey?.name;
  return { ...(name !== undefined && { name }), ...(owner && { keyOwner: owner.email }) };
}

/** The account whose playground's key it is. */
function playgroundOwner(keyId: string): string | undefined {
  const prefix = playgroundKeyId("");
  return keyId.startsWith(prefix) ? keyId.slice(prefix.length) : undefined;
}

/** The log's field for the calls of a subject. */
export function logFieldOf(
  dimension: SpendDimension,
  subject: RollupSubject,
): Readonly<Record<string, string>> {
  return { [dimension]: subjectText(subject) };
}
