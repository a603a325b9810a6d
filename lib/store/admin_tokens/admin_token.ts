import {
  addAuditEntry,
  type AuditDraft,
  auditOf,
  type AuditOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import { StoreError } from "../kv/error.ts";
import { changeRecord, encodeRecord, getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** A token of the management API as stored: with its secret's digest, never with the secret. */
export interface AdminToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly digest: string;
  /** The secret's first characters, such as `sk-admin-4fR`. */
  readonly prefix: string;
  readonly lastFour: string;
  /** The user that the token acts for, within the role. */
  readonly userId: string;
  /** The token that created this one; absent if it was created in the console. */
  readonly parentId?: string;
  /** Such as `keys:read`; see `lib/accounts/permissions.ts`. */
  readonly scopes: readonly string[];
  readonly expiresAtMs?: number;
  /** Addresses and CIDR blocks; absent means any address. */
  readonly ipAllowList?: readonly string[];
  readonly createdAtMs: number;
  /** Stored apart from the record, with a delay of up to a minute. */
  readonly lastUsedAtMs?: number;
}

const kind: Kind<AdminToken> = { name: "API token", version: 1 };

/** Returns undefined if there is no such token. */
export async function getAdminToken(store: Store, id: string): Promise<AdminToken | undefined> {
  const [token, used] = await Promise.all([
    getRecord(store, kind, keys.adminToken(id)),
    store.kv.get<Deno.KvU64>(keys.adminTokenUsed(id)),
  ]);
  return token && withUse(token, used.value);
}

/** Finds a token by the digest of its secret. */
export async function getAdminTokenByDigest(
  store: Store,
  digest: string,
): Promise<AdminToken | undefined> {
  const { value } = await store.kv.get<string>(keys.adminTokenByDigest(digest));
  return value === null ? undefined : await getAdminToken(store, value);
}

/** All tokens, newest first. */
export async function listAdminTokens(store: Store): Promise<AdminToken[]> {
  const found = await listRecords(store, kind, keys.adminTokens);
  const uses = await readInBatches(store.kv, found.map(({ id }) => keys.adminTokenUsed(id)));
  return found
    .map((token, at) => withUse(token, uses[at]?.value))
    .sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/** The part of a user's record that decides about API tokens. */
interface Owner {
  readonly role: string;
  readonly enabled: boolean;
}

/** The maximum number of a user's tokens, so that one commit can end them all. */
const adminTokensMax = 100;

/**
 * Throws `not_found` if the user or the token that creates this one is gone, and
 * `too_large` at the maximum number of tokens.
 */
export async function createAdminToken(
  store: Store,
  token: AdminToken,
  { audit }: AuditOptions = {},
): Promise<void> {
  await untilCommitted(kind.name, async () => {
    const operation = store.kv.atomic();
    await checkOwner(store, operation, token);
    operation.set(keys.adminToken(token.id), encodeRecord(kind, token))
      .set(keys.adminTokenByDigest(token.digest), token.id);
    return await store.commitChange(addAuditEntry(operation, audit)) || undefined;
  });
}

/**
 * Makes a commit conflict with every other new token of the user and with the end of the
 * role or of the parent: it writes the user's record, too.
 */
async function checkOwner(
  store: Store,
  operation: AtomicOperation,
  { userId, parentId }: AdminToken,
): Promise<void> {
  const owner = await store.kv.get<Owner>(keys.user(userId));
  if (!mayHaveTokens(owner.value)) throw gone("the account");
  const own = (await listAdminTokens(store)).filter((one) => one.userId === userId);
  if (parentId !== undefined) {
    const parent = await store.kv.get(keys.adminToken(parentId));
    if (parent.value === null) throw gone("the token");
    operation.check(parent);
  }
  if (own.length >= adminTokensMax) throw full();
  operation.check(owner).set(owner.key, owner.value);
}

/** Returns true for an account that API tokens may act for. */
export function mayHaveTokens(user: Owner | null): boolean {
  return user !== null && user.role !== "member" && user.enabled;
}

function gone(what: string): StoreError {
  return new StoreError("not_found", `Cannot create API token: ${what} that creates it is gone`);
}

function full(): StoreError {
  const limit = `a user has at most ${adminTokensMax}, expired ones included`;
  return new StoreError("too_large", `Cannot create API token: ${limit}. Revoke some`);
}

/**
 * Revokes a token and all that it created, directly or not: they stop working at once. Returns
 * false if there was none.
 */
export async function deleteAdminToken(
  store: Store,
  id: string,
  { audit }: Pick<DeleteOptions<AdminToken>, "audit"> = {},
): Promise<boolean> {
  const place = { kind, key: keys.adminToken(id) };
  const deleted = await changeRecord(store, place, async (token, operation) => {
    operation.check(await store.kv.get(keys.user(token.userId))); // each new token writes it
    const draft = auditOf(audit, token, token);
    addAuditEntry(removeToken(operation, token), draft);
    const created = createdBy(token, await listAdminTokens(store));
    endTokens(operation, created, draft && { ...draft, reason: `Created by ${token.name}` });
    return true;
  });
  return deleted ?? false;
}

/**
 * Adds the end of all tokens of a user to the commit of the change that ends the access,
 * each with its audit entry. The commit must check the user's record.
 */
export async function endTokensOf(
  store: Store,
  operation: AtomicOperation,
  { userId, audit }: { readonly userId: string; readonly audit: AuditDraft | undefined },
): Promise<void> {
  const own = (await listAdminTokens(store)).filter((token) => token.userId === userId);
  endTokens(operation, own, audit && { ...audit, reason: "The owner's access ended" });
}

function endTokens(
  operation: AtomicOperation,
  ended: readonly AdminToken[],
  audit: AuditDraft | undefined,
): void {
  for (const token of ended) {
    const target = { targetId: token.id, targetName: token.name, changes: [] };
    const draft = audit && { ...audit, ...target, kind: "token", action: "deleted" } as const;
    addAuditEntry(removeToken(operation, token), draft);
  }
}

function removeToken(
  operation: AtomicOperation,
  { id, digest }: AdminToken,
): AtomicOperation {
  return operation.delete(keys.adminToken(id)).delete(keys.adminTokenByDigest(digest))
    .delete(keys.adminTokenUsed(id));
}

/** The tokens that a token created, directly or not. */
function createdBy({ id }: AdminToken, all: readonly AdminToken[]): AdminToken[] {
  const children = all.filter(({ parentId }) => parentId === id);
  return children.flatMap((child) => [child, ...createdBy(child, all)]);
}

/** Stores the time of a token's last use. Never replaces a later time. */
export async function noteAdminTokenUse(store: Store, id: string, atMs: number): Promise<void> {
  await store.kv.atomic().max(keys.adminTokenUsed(id), BigInt(atMs)).commit();
}

function withUse(token: AdminToken, used: unknown): AdminToken {
  return used instanceof Deno.KvU64 ? { ...token, lastUsedAtMs: Number(used.value) } : token;
}
