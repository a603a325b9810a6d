import {
  addAuditEntry,
  type AuditDraft,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import { StoreError } from "../kv/error.ts";
import { deleteValue, type StoredEntry, wholeValues } from "../kv/large_record.ts";
import { assertMayChange, type Origin } from "../kv/origin.ts";
import {
  changeRecord,
  decodeRecord,
  getRecord,
  getRecords,
  type Kind,
  listRecords,
  setRecord,
} from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { Bounds } from "../money/budget.ts";
import { deleteRecordedContents } from "../recordings/recorded_content.ts";

/** The secret that a rotation replaced; valid until its grace period ends. */
interface PreviousSecret {
  readonly digest: string;
  readonly publicKey?: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly expiresAtMs: number;
}

/** The tokens of a device that its owner signed in, which acts as a key with a short-lived secret. */
interface Device {
  /** SHA-256 of the one refresh token that works; empty until the device has its first. */
  readonly refreshDigest: string;
  /** The end of the key's secret, unless it is refreshed; in epoch milliseconds. */
  readonly accessEndsAtMs: number;
}

/** A key as stored: with its secret's digest, never with the secret. */
export interface ApiKey extends Bounds {
  readonly id: string;
  readonly accountId: string;
  /** Unique in its account. */
  readonly name: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly digest: string;
  /**
   * The Ed25519 public key that verifies the secret's child keys, in base64url. Absent if the record
   * was made from the digest alone, or by a release without child keys.
   */
  readonly publicKey?: string;
  /** The secret's first characters, such as `sk-4fR`. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly previous?: PreviousSecret;
  readonly groupId: string;
  readonly enabled: boolean;
  readonly expiresAtMs?: number;
  /** Absent for a key that is no device's. */
  readonly device?: Device;
  /** Patterns; absent means all models of the group. */
  readonly models?: readonly string[];
  /** Addresses and CIDR blocks; absent means any address. */
  readonly ipAllowList?: readonly string[];
  /** The budget percentages that raise alerts; absent means those of the configuration. */
  readonly alertPercents?: readonly number[];
  /** Texts of the account's own programs, by name; set and read by the management API. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  /**
   * Stored apart from the record, with a delay of up to a second; absent in the results of
   * `Directory`.
   */
  readonly lastUsedAtMs?: number;
  readonly origin: Origin;
}

const kind: Kind<ApiKey> = { name: "API key", version: 2 };

/** Returns undefined if there is no such key. */
export async function getApiKey(store: Store, id: string): Promise<ApiKey | undefined> {
  const [apiKey, used] = await Promise.all([
    getRecord(store, kind, keys.apiKey(id)),
    store.kv.get<Deno.KvU64>(keys.apiKeyUsed(id)),
  ]);
  return apiKey && withUse(apiKey, used.value);
}

/**
 * Finds a key by the digest of its secret, or of the secret that a rotation replaced. Leaves out
 * `lastUsedAtMs`.
 */
export async function getApiKeyByDigest(store: Store, digest: string): Promise<ApiKey | undefined> {
  const { value } = await store.kv.get<string>(keys.apiKeyByDigest(digest));
  return value === null ? undefined : await getRecord(store, kind, keys.apiKey(value));
}

/** Lists keys, newest first. */
export async function listApiKeys(
  store: Store,
  options: { readonly accountId?: string } = {},
): Promise<ApiKey[]> {
  const found = options.accountId === undefined
    ? await listWithUse(store)
    : await listOfAccount(store, options.accountId);
  return found.sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/** All keys, in two scans. */
async function listWithUse(store: Store): Promise<ApiKey[]> {
  const [found, uses] = await Promise.all([
    listRecords(store, kind, keys.apiKeys),
    Array.fromAsync(store.kv.list({ prefix: keys.apiKeysUsed }, { batchSize: 500 })),
  ]);
  const usedAt = new Map(uses.map(({ key, value }) => [key[1], value]));
  return found.map((apiKey) => withUse(apiKey, usedAt.get(apiKey.id)));
}

/** Throws `already_exists` if the id, the name or the secret is taken. */
export async function createApiKey(
  store: Store,
  apiKey: ApiKey,
  { audit }: AuditOptions = {},
): Promise<void> {
  const operation = addAuditEntry(addApiKey(store.kv.atomic(), apiKey), audit);
  if (!await store.commitChange(operation)) throw taken(apiKey.name);
}

/** Adds a new key to a commit, which fails if the id, the name or the secret is taken. */
export function addApiKey(operation: AtomicOperation, apiKey: ApiKey): AtomicOperation {
  const indexKeys = [nameKey(apiKey), keys.apiKeyByDigest(apiKey.digest)];
  for (const key of [keys.apiKey(apiKey.id), ...indexKeys]) {
    operation.check({ key, versionstamp: null });
  }
  for (const key of indexKeys) operation.set(key, apiKey.id);
  return setApiKey(operation, { key: keys.apiKey(apiKey.id), value: null }, apiKey);
}

/**
 * Returns undefined if there is no such key. `change` cannot change the id and the account. A
 * secret that is no longer in `digest` or `previous` stops working immediately.
 */
export function updateApiKey(
  store: Store,
  id: string,
  change: (apiKey: ApiKey) => ApiKey,
  { by = "console", audit }: ChangeOptions<ApiKey> = {},
): Promise<ApiKey | undefined> {
  return changeRecord(store, { kind, key: keys.apiKey(id) }, async (current, operation, former) => {
    assertMayChange(current, by, `API key ${current.name}`);
    const apiKey = { ...change(current), id, accountId: current.accountId };
    await moveIndexes(store, operation, [current, apiKey]);
    setApiKey(operation, former, apiKey);
    addAuditEntry(operation, auditOf(audit, current, apiKey));
    return apiKey;
  });
}

/** Fits in the 800 KiB of a commit, even with long lists in the keys. */
const keysMovedAtOnce = 40;

/**
 * Moves keys from one group to another, 40 per commit. Skips keys that have left the group, and
 * declared ones, so a failed move can simply be repeated.
 */
export async function moveApiKeys(
  store: Store,
  ids: readonly string[],
  move: {
    readonly from: string;
    readonly to: string;
    readonly audit?: (before: ApiKey, after: ApiKey) => AuditDraft | undefined;
  },
): Promise<void> {
  for (let first = 0; first < ids.length; first += keysMovedAtOnce) {
    const some = ids.slice(first, first + keysMovedAtOnce).map(keys.apiKey);
    await untilCommitted(kind.name, () => tryMove(store, some, move));
  }
}

async function tryMove(
  store: Store,
  places: readonly Deno.KvKey[],
  { from, to, audit }: Parameters<typeof moveApiKeys>[2],
): Promise<true | undefined> {
  const operation = store.kv.atomic();
  const entries = await readInBatches(store.kv, places);
  const values = await wholeValues(store, entries.map(({ value }) => value));
  if (values.includes(undefined)) return undefined;
  for (const [at, entry] of entries.entries()) {
    const before = values[at] === null ? undefined : decodeRecord(kind, values[at]);
    if (before?.groupId !== from || before.origin !== "console") continue;
    const after = { ...before, groupId: to };
    setApiKey(operation.check(entry), entry, after);
    addAuditEntry(operation, audit?.(before, after));
  }
  return await store.commitChange(operation) || undefined;
}

/** Returns false if there was none. Log rows and ledger entries that name the key stay. */
export async function deleteApiKey(
  store: Store,
  id: string,
  { by = "console", audit }: DeleteOptions<ApiKey> = {},
): Promise<boolean> {
  const deleted = await changeRecord(
    store,
    { kind, key: keys.apiKey(id) },
    async (apiKey, operation, former) => {
      operation.delete(keys.recording(apiKey.accountId, id));
      assertMayChange(apiKey, by, `API key ${apiKey.name}`);
      deleteValue(operation, former).delete(nameKey(apiKey)).delete(keys.apiKeyUsed(id));
      const used = await store.kv.get<Deno.KvU64>(keys.apiKeyUsed(id));
      if (used.value) operation.max(keys.apiKeyUsed(apiKey.accountId), used.value.value);
      for (const digest of digestsOf(apiKey)) operation.delete(keys.apiKeyByDigest(digest));
      addAuditEntry(operation, auditOf(audit, apiKey, apiKey));
      return apiKey;
    },
  );
  if (deleted) await deleteRecordedContents(store, deleted.accountId, id);
  return deleted !== undefined;
}

/**
 * Stores the times of the last uses of keys, and of accounts without a key, at most 1,000 at once.
 * Never replaces a later time.
 */
export async function noteApiKeyUse(
  store: Store,
  uses: ReadonlyMap<string, number>,
): Promise<void> {
  const operation = store.kv.atomic();
  for (const [id, atMs] of uses) operation.max(keys.apiKeyUsed(id), BigInt(atMs));
  await operation.commit();
}

/**
 * Reads when accounts made their last calls other than with their current keys: in the playground,
 * or with keys that were deleted since.
 */
export async function listAccountUses(
  store: Store,
  accountIds: readonly string[],
): Promise<readonly (number | undefined)[]> {
  const uses = await readInBatches(store.kv, accountIds.map(keys.apiKeyUsed));
  return uses.map(({ value }) => value instanceof Deno.KvU64 ? Number(value.value) : undefined);
}

async function listOfAccount(store: Store, accountId: string): Promise<ApiKey[]> {
  const recordKeys: Deno.KvKey[] = [];
  for await (
    const { value } of store.kv.list<string>({ prefix: keys.apiKeysOfAccount(accountId) })
  ) {
    recordKeys.push(keys.apiKey(value));
  }
  const found = (await getRecords(store, kind, recordKeys)).filter((key) => key !== undefined);
  const uses = await readInBatches(store.kv, found.map(({ id }) => keys.apiKeyUsed(id)));
  return found.map((apiKey, index) => withUse(apiKey, uses[index]?.value));
}

async function moveIndexes(
  store: Store,
  operation: AtomicOperation,
  [current, next]: readonly [ApiKey, ApiKey],
): Promise<void> {
  const before = indexKeysOf(current);
  const after = indexKeysOf(next);
  for (const [text, key] of before) if (!after.has(text)) operation.delete(key);
  for (const [text, key] of after) {
    if (before.has(text)) continue;
    const entry = await store.kv.get(key);
    if (entry.value !== null) throw taken(next.name);
    operation.check(entry).set(key, next.id);
  }
}

function indexKeysOf(apiKey: ApiKey): Map<string, Deno.KvKey> {
  const indexKeys = [nameKey(apiKey), ...digestsOf(apiKey).map(keys.apiKeyByDigest)];
  return new Map(indexKeys.map((key) => [JSON.stringify(key), key]));
}

function nameKey({ accountId, name }: ApiKey): Deno.KvKey {
  return keys.apiKeyOfAccount(accountId, name);
}

function digestsOf({ digest, previous }: ApiKey): string[] {
  return previous === undefined ? [digest] : [digest, previous.digest];
}

function setApiKey(
  operation: AtomicOperation,
  former: StoredEntry,
  { lastUsedAtMs: _, ...record }: ApiKey,
): AtomicOperation {
  return setRecord(operation, kind, { former, record });
}

function withUse(apiKey: ApiKey, used: unknown): ApiKey {
  return used instanceof Deno.KvU64 ? { ...apiKey, lastUsedAtMs: Number(used.value) } : apiKey;
}

function taken(name: string): StoreError {
  return new StoreError(
    "already_exists",
    `Cannot save API key: the account already has one named ${name}, or its secret is in use`,
  );
}

/**
 * Stores the first API key at the very first start, in one isolate only. Without a key, it only
 * marks the first start as done. Returns true only for the call that did so.
 */
export async function storeFirstKey(store: Store, apiKey: ApiKey | undefined): Promise<boolean> {
  const { value } = await store.kv.get(keys.firstKeyMade);
  if (value !== null) return false;
  const operation = store.kv.atomic()
    .check({ key: keys.firstKeyMade, versionstamp: null })
    .set(keys.firstKeyMade, true);
  if (apiKey !== undefined) addApiKey(operation, apiKey);
  return await store.commitChange(operation);
}
