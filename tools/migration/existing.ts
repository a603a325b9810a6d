import { type ApiKey, listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { listGroups, listModels, listUpstreams } from "../../lib/store/catalog/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { allIdempotencyKeys } from "../../lib/store/money/mod.ts";
import { listUsers } from "../../lib/store/users/mod.ts";

/** The records in the store, as far as an import asks for them. */
export interface Existing {
  readonly groups: ReadonlySet<string>;
  readonly models: ReadonlySet<string>;
  readonly upstreams: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  readonly emails: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  /** Of the secrets of keys, with those that a rotation replaced. */
  readonly digests: ReadonlySet<string>;
  /** The names of keys by account. */
  readonly keyNames: ReadonlyMap<string, ReadonlySet<string>>;
  readonly posted: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** A store that does not exist yet. */
export const nothing: Existing = {
  groups: none,
  models: none,
  upstreams: none,
  users: none,
  emails: none,
  keys: none,
  digests: none,
  keyNames: new Map(),
  posted: none,
};

export async function existingIn(store: Store): Promise<Existing> {
  const [groups, models, upstreams, users, apiKeys, posted] = await Promise.all([
    listGroups(store),
    listModels(store),
    listUpstreams(store),
    listUsers(store),
    listApiKeys(store),
    Array.fromAsync(allIdempotencyKeys(store), ({ idempotencyKey }) => idempotencyKey),
  ]);
  return {
    groups: idsOf(groups),
    models: idsOf(models),
    upstreams: idsOf(upstreams),
    users: idsOf(users),
    emails: new Set(users.map(({ email }) => email)),
    keys: idsOf(apiKeys),
    digests: new Set(apiKeys.flatMap(digestsOf)),
    keyNames: namesOf(apiKeys),
    posted: new Set(posted),
  };
}

function idsOf(records: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(records.map(({ id }) => id));
}

function digestsOf({ digest, previous }: ApiKey): string[] {
  return previous ? [digest, previous.digest] : [digest];
}

function namesOf(apiKeys: readonly ApiKey[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byAccount = Map.groupBy(apiKeys, ({ accountId }) => accountId);
  return new Map(
    [...byAccount].map(([id, own]) => [id, new Set(own.map(({ name }) => name))]),
  );
}
