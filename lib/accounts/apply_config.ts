import { isDeepStrictEqual } from "node:util";
import {
  addApiKey,
  type ApiKey,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  storeFirstKey,
  updateApiKey,
} from "../store/api_keys/mod.ts";
import type { DeclaredKey, DeclaredRecords } from "../store/catalog/declared.ts";
import {
  addModel,
  createGroup,
  createModel,
  createUpstream,
  defaultGroupId,
  deleteGroup,
  deleteModel,
  deleteUpstream,
  type Group,
  listGroups,
  listModels,
  listUpstreams,
  updateGroup,
  updateModel,
  updateUpstream,
} from "../store/catalog/mod.ts";
import { claimStart } from "../store/isolates/mod.ts";
import {
  type AtomicOperation,
  digestOf,
  type Origin,
  type Store,
  StoreError,
} from "../store/mod.ts";
import { createUser, defaultSpending, firstAccountId, getUser } from "../store/users/mod.ts";
import { newApiKey } from "./api_keys.ts";
import { Passwords } from "./passwords.ts";
import { keptParts } from "./secrets.ts";
import { type IssuedSetupLink, issueSetupLink, isToBeSetUp } from "./setup.ts";

/** The start-up notices of one isolate, which prints each at most once. */
interface Notices {
  /** The link that creates the first administrator; absent once there is one. */
  readonly setupLink?: IssuedSetupLink;
  /**
   * The secret of the first API key; created at the first start if the configuration declares none.
   */
  readonly firstKeySecret?: string;
}

const raceAttemptsMax = 10;

/**
 * Makes the store hold exactly the records that the configuration declares. Records from the
 * console stay, but one with the id of a declared record becomes that record. Idempotent, also when
 * several isolates apply it concurrently. Returns notices, which may be empty, in the isolate that
 * claims the start; undefined in the others.
 */
export async function applyConfig(
  store: Store,
  declared: DeclaredRecords,
  nowMs: number = Date.now(),
): Promise<Notices | undefined> {
  await despiteRaces(() => applyRecords(store, declared, nowMs));
  await createAdministrator(store, declared, nowMs);
  if (!await claimStart(store)) return undefined;
  const linkMs = declared.limits && declared.limits.setupLinkHours * 3_600_000;
  const setupLink = await isToBeSetUp(store)
    ? await issueSetupLink(store, nowMs, linkMs)
    : undefined;
  const firstKeySecret = await issueFirstKey(store, declared.keys.length === 0, nowMs);
  return {
    ...(setupLink === undefined ? {} : { setupLink }),
    ...(firstKeySecret === undefined ? {} : { firstKeySecret }),
  };
}

/** Retries after a conflict: another isolate may be applying the same configuration. */
async function despiteRaces(apply: () => Promise<void>): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return await apply();
    } catch (error) {
      const raced = error instanceof StoreError &&
        (error.code === "already_exists" || error.code === "conflict");
      if (!raced || attempt === raceAttemptsMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 5 * Math.random()));
    }
  }
}

async function applyRecords(store: Store, declared: DeclaredRecords, nowMs: number): Promise<void> {
  const groups = declared.groups.map((group) => ({ ...group, origin: "config" as const }));
  await reconcile(store, groupRecords, groups);
  await keepDefaultGroup(store);
  await reconcile(
    store,
    modelRecords,
    declared.models.map((model) => ({ ...model, createdAtMs: nowMs, origin: "config" as const })),
  );
  await reconcile(
    store,
    upstreamRecords,
    declared.upstreams.map((upstream) => ({ ...upstream, origin: "config" as const })),
  );
  const apiKeys = declared.keys.map((key) => declaredApiKey(key, nowMs));
  await reconcile(store, keyRecords, apiKeys);
}

interface DeclarableRecord {
  readonly id: string;
  readonly origin: Origin;
  readonly createdAtMs?: number;
}

interface Records<Item extends DeclarableRecord> {
  list(store: Store): Promise<readonly Item[]>;
  create(store: Store, item: Item): Promise<void>;
  update(
    store: Store,
    id: string,
    change: (item: Item) => Item,
    options: typeof byConfig,
  ): Promise<Item | undefined>;
  remove(store: Store, id: string): Promise<unknown>;
  /** Adds a new record to a commit; absent if its records are few. */
  add?(operation: AtomicOperation, item: Item): AtomicOperation;
  /** Returns true if the existing record must be removed before the declared one can be stored. */
  inTheWay?(existing: Item, wanted: Item): boolean;
}

const byConfig = { by: "config" } as const;

const groupRecords: Records<Group> = {
  list: listGroups,
  create: createGroup,
  update: updateGroup,
  remove: releaseGroup,
};

const modelRecords = {
  list: listModels,
  create: createModel,
  add: addModel,
  update: updateModel,
  remove: (store: Store, id: string) => deleteModel(store, id, byConfig),
};

const upstreamRecords = {
  list: listUpstreams,
  create: createUpstream,
  update: updateUpstream,
  remove: (store: Store, id: string) => deleteUpstream(store, id, byConfig),
};

/**
 * Removes outdated secrets first: two declared keys that exchanged theirs would otherwise collide.
 */
const keyRecords: Records<ApiKey> = {
  list: async (store) => (await listApiKeys(store)).map(({ lastUsedAtMs: _, ...apiKey }) => apiKey),
  create: createDeclaredKey,
  add: addApiKey,
  update: updateApiKey,
  remove: (store, id) => deleteApiKey(store, id, byConfig),
  inTheWay: (existing, wanted) => existing.digest !== wanted.digest,
};

async function reconcile<Item extends DeclarableRecord>(
  store: Store,
  records: Records<Item>,
  declared: readonly Item[],
): Promise<void> {
  const existing = new Map((await records.list(store)).map((item) => [item.id, item]));
  const wanted = declared.map((item) => keepAge(item, existing.get(item.id)));
  const wantedIds = new Set(wanted.map((item) => item.id));
  const obsolete = [...existing.values()].filter((item) =>
    item.origin === "config" && !wantedIds.has(item.id)
  );
  const inTheWay = wanted.flatMap((item) => {
    const found = existing.get(item.id);
    return found !== undefined && records.inTheWay?.(found, item) ? [found] : [];
  });
  for (const { id } of [...obsolete, ...inTheWay]) {
    await records.remove(store, id);
    existing.delete(id);
  }
  await createAll(store, records, wanted.filter(({ id }) => !existing.has(id)));
  for (const item of wanted) {
    const found = existing.get(item.id);
    if (found !== undefined && !isDeepStrictEqual(found, item)) {
      await records.update(store, item.id, () => item, byConfig);
    }
  }
}

/** A key takes three of the 100 checks of a commit. */
const createdAtOnce = 30;

/** Creates many records per commit; one by one if that fails, so that the error names the record. */
async function createAll<Item extends DeclarableRecord>(
  store: Store,
  { add, create }: Pick<Records<Item>, "add" | "create">,
  items: readonly Item[],
): Promise<void> {
  for (let at = 0; at < items.length; at += createdAtOnce) {
    const some = items.slice(at, at + createdAtOnce);
    const operation = add && some.reduce(add, store.kv.atomic());
    const isCreated = operation && await store.commitChange(operation).catch(() => false);
    if (isCreated) continue;
    for (const item of some) await create(store, item);
  }
}

function keepAge<Item extends DeclarableRecord>(item: Item, existing: Item | undefined): Item {
  return existing?.createdAtMs === undefined
    ? item
    : { ...item, createdAtMs: existing.createdAtMs };
}

/** A default group that is no longer declared stays, and can be changed in the console. */
async function releaseGroup(store: Store, id: string): Promise<void> {
  if (id !== defaultGroupId) await deleteGroup(store, id, byConfig);
  else await updateGroup(store, id, (group) => ({ ...group, origin: "console" }), byConfig);
}

async function keepDefaultGroup(store: Store): Promise<void> {
  const groups = await listGroups(store);
  if (groups.some((group) => group.id === defaultGroupId)) return;
  await createGroup(store, {
    id: defaultGroupId,
    models: ["*"],
    formats: ["*"],
    priceRatio: 1,
    origin: "console",
  });
}

/** The id is derived from the name, so that limits and history survive a change of the secret. */
function declaredApiKey({ value, ...key }: DeclaredKey, nowMs: number): ApiKey {
  return {
    ...key,
    id: `key_declared_${digestOf(key.name).slice(0, 16)}`,
    accountId: firstAccountId,
    ...keptParts(value),
    createdAtMs: nowMs,
    origin: "config",
  };
}

async function createDeclaredKey(store: Store, apiKey: ApiKey): Promise<void> {
  try {
    await createApiKey(store, apiKey);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "already_exists") throw error;
    throw new StoreError(
      "already_exists",
      `Cannot declare API key ${apiKey.name}: the first administrator already has a key with this name or value, created in the console. Rename or delete one of them`,
      { cause: error },
    );
  }
}

async function createAdministrator(
  store: Store,
  { administrator }: DeclaredRecords,
  nowMs: number,
): Promise<void> {
  if (administrator === undefined || !await isToBeSetUp(store)) return;
  const passwordHash = await hashOnce(administrator.password);
  try {
    await createUser(store, {
      id: firstAccountId,
      email: administrator.email,
      role: "administrator",
      passwordHash,
      createdAtMs: nowMs,
      enabled: true,
      spending: defaultSpending(firstAccountId),
    });
  } catch (error) {
    if (await getUser(store, firstAccountId) === undefined) throw error; // else another isolate was first
  }
}

async function hashOnce(password: string): Promise<string> {
  const passwords = new Passwords();
  try {
    return await passwords.hash(password);
  } finally {
    passwords.close();
  }
}

/** The name of the first administrator's key, whose secret the first start prints. */
export const printedKeyName = "printed-at-start";

async function issueFirstKey(
  store: Store,
  wanted: boolean,
  nowMs: number,
): Promise<string | undefined> {
  const { apiKey, secret } = newApiKey({
    accountId: firstAccountId,
    name: printedKeyName,
    groupId: defaultGroupId,
    enabled: true,
  }, nowMs);
  const made = await storeFirstKey(store, wanted ? apiKey : undefined);
  return made && wanted ? secret : undefined;
}
