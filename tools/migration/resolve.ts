import { type ApiKey, listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { listGroups, listModels, listUpstreams } from "../../lib/store/catalog/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { allIdempotencyKeys } from "../../lib/store/money/mod.ts";
import { listUsers, type User } from "../../lib/store/users/mod.ts";
import { TakenNames } from "./identity.ts";
import type { MigrationPlan, PlannedGrant, PlannedUser, SourceName } from "./plan.ts";

/** One record of the plan, and whether the import creates it. */
export interface RecordLine {
  readonly kind: "group" | "model" | "upstream" | "user" | "grant" | "key";
  readonly id: string;
  readonly name: string;
  /** `present`: an earlier run created it, or the store has one of this name. */
  readonly result: "created" | "present";
  /** A difference from the source for the sake of the store. */
  readonly detail?: string;
}

/** A grant with the key under which it is posted once. */
export interface ResolvedGrant extends PlannedGrant {
  readonly idempotencyKey: string;
}

/** The records to create, and a line for every record of the plan. */
export interface ResolvedPlan extends Pick<MigrationPlan, "groups" | "models" | "upstreams"> {
  readonly users: readonly User[];
  readonly grants: readonly ResolvedGrant[];
  readonly keys: readonly ApiKey[];
  readonly lines: readonly RecordLine[];
}

/** Compares the plan with the store: what is there stays as it is, and names become unique. */
export function resolvePlan(
  source: SourceName,
  plan: MigrationPlan,
  existing: Existing,
): ResolvedPlan {
  const groups = split("group", plan.groups, existing.groups);
  const models = split("model", plan.models, existing.models);
  const upstreams = split("upstream", plan.upstreams, existing.upstreams);
  const users = resolveUsers(source, plan.users, existing);
  const grants = resolveGrants(source, plan, existing);
  const keys = resolveKeys(source, plan.keys, existing);
  return {
    groups: groups.created,
    models: models.created,
    upstreams: upstreams.created,
    users: users.created,
    grants: grants.created,
    keys: keys.created,
    lines: [groups, models, upstreams, users, grants, keys].flatMap(({ lines }) => lines),
  };
}

interface Split<Item> {
  readonly created: readonly Item[];
  readonly lines: readonly RecordLine[];
}

/** An item of the plan, and what the store says to it. */
interface Resolved<Item> {
  readonly item: Item;
  readonly isPresent: boolean;
  readonly detail?: string;
}

function splitOf<Item>(
  kind: RecordLine["kind"],
  resolved: readonly Resolved<Item>[],
  identityOf: (item: Item) => Pick<RecordLine, "id" | "name">,
): Split<Item> {
  return {
    created: resolved.filter(({ isPresent }) => !isPresent).map(({ item }) => item),
    lines: resolved.map(({ item, isPresent, detail }) => ({
      kind,
      ...identityOf(item),
      result: isPresent ? "present" : "created",
      ...(detail !== undefined && { detail }),
    })),
  };
}

function split<Item extends { readonly id: string }>(
  kind: RecordLine["kind"],
  items: readonly Item[],
  existing: ReadonlySet<string>,
): Split<Item> {
  const created = new Set<string>();
  const resolved = items.map((item) => {
    const isDouble = created.has(item.id);
    const isPresent = existing.has(item.id) || isDouble;
    if (!isPresent) created.add(item.id);
    const detail = isDouble ? "left out: another record of the import has its name" : undefined;
    return { item, isPresent, detail };
  });
  return splitOf(kind, resolved, ({ id }) => ({ id, name: id }));
}

/**
 * An address belongs to one account. Another account of that address is never joined: the source
 * may not have verified it.
 */
function resolveUsers(
  source: SourceName,
  users: readonly PlannedUser[],
  existing: Existing,
): Split<User> {
  const taken = new Set(existing.emails);
  const resolved = users.map(({ otherEmail, ...item }): Resolved<User> => {
    if (existing.users.has(item.id)) return { item, isPresent: true };
    const email = [item.email, otherEmail, `${item.id}@${source}.invalid`]
      .find((one) => !taken.has(one)) ?? item.email;
    taken.add(email);
    const detail = email === item.email
      ? undefined
      : `signs in as ${email}: another account has its address`;
    return { item: { ...item, email }, isPresent: false, detail };
  });
  return splitOf("user", resolved, ({ id, email }) => ({ id, name: email }));
}

function resolveGrants(
  source: SourceName,
  { grants, users }: MigrationPlan,
  existing: Existing,
): Split<ResolvedGrant> {
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const resolved = grants.map((grant) => {
    const idempotencyKey = `import:${source}:${grant.accountId}`;
    const isPresent = existing.posted.has(`grant:${idempotencyKey}`);
    return { item: { ...grant, idempotencyKey }, isPresent };
  });
  return splitOf("grant", resolved, ({ accountId: id }) => ({ id, name: emails.get(id) ?? "" }));
}

/** A key whose secret works already is left alone. */
function resolveKeys(
  source: SourceName,
  keys: readonly ApiKey[],
  existing: Existing,
): Split<ApiKey> {
  const digests = new Set<string>();
  const names = new Map<string, TakenNames>();
  const resolved = keys.map((item): Resolved<ApiKey> => {
    const { id, accountId, digest, name } = item;
    const isPresent = existing.keys.has(id) || existing.digests.has(digest) || digests.has(digest);
    digests.add(digest);
    if (isPresent) return { item, isPresent };
    const taken = names.get(accountId) ?? new TakenNames(existing.keyNames.get(accountId));
    names.set(accountId, taken);
    const free = taken.take(taken.has(name) ? `${name} (${source})` : name);
    const detail = free === name ? undefined : `named ${free}: the account has a key of its name`;
    return { item: { ...item, name: free }, isPresent, detail };
  });
  return splitOf("key", resolved, ({ id, name }) => ({ id, name }));
}

/** The records in the store, as far as an import asks for them. */
interface Existing {
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
