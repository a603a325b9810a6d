import { type ApiKey, listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { listUsers, type User } from "../../lib/store/users/mod.ts";
import { TakenNames } from "./identity.ts";
import type { MigrationPlan, PlannedGrant, PlannedUser, SourceName } from "./plan.ts";
import { listGroups, listModels, listUpstreams } from "../../lib/store/catalog/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { allIdempotencyKeys } from "../../lib/store/money/mod.ts";

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

function split<Item extends { readonly id: string }>(
  kind: RecordLine["kind"],
  items: readonly Item[],
  existing: ReadonlySet<string>,
): Split<Item> {
  const created = new Map<string, Item>();
  const lines = items.map((item) => {
    const { id } = item;
    const isDouble = created.has(id);
    if (!existing.has(id) && !isDouble) created.set(id, item);
    const detail = isDouble ? "left out: another record of the import has its name" : undefined;
    return lineOf(kind, { id, name: id }, existing.has(id) || isDouble, detail);
  });
  return { created: [...created.values()], lines };
}

function lineOf(
  kind: RecordLine["kind"],
  { id, name }: { readonly id: string; readonly name: string },
  isPresent: boolean,
  detail?: string,
): RecordLine {
  const result = isPresent ? "present" : "created";
  return { kind, id, name, result, ...(detail !== undefined && { detail }) };
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
  const resolved = users.map(({ otherEmail, ...user }) => {
    const isPresent = existing.users.has(user.id);
    if (isPresent) return { user, isPresent };
    const email = [user.email, otherEmail, `${user.id}@${source}.invalid`]
      .find((one) => !taken.has(one)) ?? user.email;
    taken.add(email);
    const detail = email === user.email
      ? undefined
      : `signs in as ${email}: another account has its address`;
    return { user: { ...user, email }, isPresent, detail };
  });
  return {
    created: resolved.filter(({ isPresent }) => !isPresent).map(({ user }) => user),
    lines: resolved.map(({ user: { id, email }, isPresent, detail }) =>
      lineOf("user", { id, name: email }, isPresent, detail)
    ),
  };
}

function resolveGrants(
  source: SourceName,
  { grants, users }: MigrationPlan,
  existing: Existing,
): Split<ResolvedGrant> {
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const resolved = grants.map((grant) => ({
    ...grant,
    idempotencyKey: `import:${source}:${grant.accountId}`,
  }));
  const isPosted = ({ idempotencyKey }: ResolvedGrant) =>
    existing.posted.has(`grant:${idempotencyKey}`);
  return {
    created: resolved.filter((grant) => !isPosted(grant)),
    lines: resolved.map((grant) =>
      lineOf(
        "grant",
        { id: grant.accountId, name: emails.get(grant.accountId) ?? "" },
        isPosted(grant),
      )
    ),
  };
}

/** A key whose secret works already is left alone. */
function resolveKeys(
  source: SourceName,
  keys: readonly ApiKey[],
  existing: Existing,
): Split<ApiKey> {
  const digests = new Set<string>();
  const names = new Map<string, TakenNames>();
  const resolved = keys.map((key) => {
    const { id, accountId, digest, name } = key;
    const isPresent = existing.keys.has(id) || existing.digests.has(digest) || digests.has(digest);
    digests.add(digest);
    if (isPresent) return { key, isPresent };
    const taken = names.get(accountId) ?? new TakenNames(existing.keyNames.get(accountId));
    names.set(accountId, taken);
    const free = taken.take(taken.has(name) ? `${name} (${source})` : name);
    const detail = free === name ? undefined : `named ${free}: the account has a key of its name`;
    return { key: { ...key, name: free }, isPresent, detail };
  });
  return {
    created: resolved.filter(({ isPresent }) => !isPresent).map(({ key }) => key),
    lines: resolved.map(({ key: { id, name }, isPresent, detail }) =>
      lineOf("key", { id, name }, isPresent, detail)
    ),
  };
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
