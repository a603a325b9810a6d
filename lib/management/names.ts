import { getAdminToken, listAdminTokens } from "../store/admin_tokens/mod.ts";
import { getApiKey, listApiKeys } from "../store/api_keys/mod.ts";
import { getRedemptionBatch, listRedemptionBatches } from "../store/money/mod.ts";
import type { Store } from "../store/mod.ts";
import { getUser, getUserByEmail, listInvitations, listUsers } from "../store/users/mod.ts";
import { getEndpoint, listEndpoints } from "../store/webhooks/mod.ts";
import { ManagementError } from "./http/error.ts";
import type { ManagementCall } from "./http/operation.ts";
import { timeText } from "./http/schema.ts";

/** An object that a name means. */
interface Meant {
  readonly id: string;
  /** Distinguishes it from others of the same name. */
  readonly hint: string;
}

/** The look-ups of a kind of objects; `named` finds all of a name. */
interface Naming {
  readonly noun: string;
  readonly hasId: (store: Store, id: string) => Promise<boolean>;
  readonly named: (store: Store, name: string) => Promise<readonly Meant[]>;
}

const user: Naming = {
  noun: "user",
  hasId: async (store, id) => await getUser(store, id) !== undefined,
  named: async (store, name) => {
    const found = await getUserByEmail(store, name.toLowerCase());
    return found ? [{ id: found.id, hint: found.email }] : [];
  },
};

const key: Naming = {
  noun: "API key",
  hasId: async (store, id) => await getApiKey(store, id) !== undefined,
  named: async (store, name) => {
    const found = (await listApiKeys(store)).filter((one) => one.name === name);
    const emails = await emailsOf(store, found.map(({ accountId }) => accountId));
    return found.map(({ id, accountId }) => ({ id, hint: emails.get(accountId) ?? accountId }));
  },
};

const token: Naming = {
  noun: "API token",
  hasId: async (store, id) => await getAdminToken(store, id) !== undefined,
  named: async (store, name) =>
    (await listAdminTokens(store)).filter((one) => one.name === name)
      .map(({ id, scopes }) => ({ id, hint: scopes.join(", ") })),
};

const webhook: Naming = {
  noun: "webhook",
  hasId: async (store, id) => await getEndpoint(store, id) !== undefined,
  named: async (store, url) =>
    (await listEndpoints(store)).filter((one) => one.url === url)
      .map(({ id, types }) => ({ id, hint: types.join(", ") })),
};

const invitation: Naming = {
  noun: "invitation",
  hasId: () => Promise.resolve(false),
  named: async (store, email) =>
    (await listInvitations(store)).filter((one) => one.email === email.toLowerCase())
      .map(({ digest, email }) => ({ id: digest, hint: email })),
};

const batch: Naming = {
  noun: "batch",
  hasId: async (store, id) => await getRedemptionBatch(store, id) !== undefined,
  named: async (store, name) =>
    (await listRedemptionBatches(store)).filter((one) => one.name === name)
      .map(({ id, createdAtMs }) => ({ id, hint: timeText(createdAtMs) })),
};

/** The kinds of `{id}`, by the first part of the path. */
const byResource: Readonly<Record<string, Naming>> = {
  users: user,
  keys: key,
  tokens: token,
  webhooks: webhook,
  invitations: invitation,
  codes: batch,
};

/** The kinds of the fields of queries and bodies. */
const byField: Readonly<Record<string, Naming>> = {
  user_id: user,
  key_id: key,
  administrators: user,
};

/**
 * The call with the id of each object that it names: a user or an invitation by e-mail address, a
 * key, a token or a batch of codes by name, a webhook by URL. A text that is no name stays, so that
 * the operation refuses it. Throws `ambiguous_name`.
 */
export async function withIds(call: ManagementCall, path: string): Promise<ManagementCall> {
  const { store } = call.state.services;
  const id = byResource[path.split("/")[1]];
  const inPath = { ...byField, ...(id && { id }) };
  return {
    ...call,
    params: await replaced(call.params, inPath, store),
    query: await replaced(call.query, byField, store),
    body: await replaced(call.body, byField, store),
  };
}

async function replaced<Fields>(
  fields: Fields,
  kinds: Readonly<Record<string, Naming>>,
  store: Store,
): Promise<Fields> {
  if (typeof fields !== "object" || fields === null) return fields;
  const found: Record<string, unknown> = {};
  for (const [field, naming] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(fields, field);
    const one = (text: unknown) =>
      typeof text === "string" ? idOf(text, field, { naming, store }) : text;
    if (Array.isArray(value)) found[field] = await Promise.all(value.map(one));
    else if (typeof value === "string") found[field] = await one(value);
  }
  return { ...fields, ...found };
}

/** An id as `newId` makes it. It is no name: another object could have that of a deleted one. */
const generatedId = /^[a-z]+_[0-9A-Za-z]{22}$/;

async function idOf(
  text: string,
  field: string,
  { naming, store }: { readonly naming: Naming; readonly store: Store },
): Promise<string> {
  if (generatedId.test(text) || await naming.hasId(store, text)) return text;
  const [first, ...others] = await naming.named(store, text);
  if (first === undefined) return text;
  if (others.length === 0) return first.id;
  const all = [first, ...others].map(({ id, hint }) => `${id} (${hint})`);
  const message = `${all.length} ${naming.noun}s have the name ${text}. Use an ID: ${
    all.slice(0, candidatesMax).join("; ")
  }`;
  throw new ManagementError("ambiguous_name", message, { param: field });
}

const candidatesMax = 10;

/** The addresses of users by id; without those that no longer exist. */
export async function emailsOf(
  store: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)];
  const users = wanted.length > directReadsMax
    ? await listUsers(store)
    : await Promise.all(wanted.map((id) => getUser(store, id)));
  return new Map(users.flatMap((one) => one ? [[one.id, one.email] as const] : []));
}

/** Reads of single users that cost less than a list of all. */
const directReadsMax = 100;
