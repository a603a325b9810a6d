import { z } from "zod";
import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { getEntries } from "../kv/entries.ts";
import { StoreError } from "../kv/error.ts";
import { changeRecord, encodeRecord, getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** A token of the management API as stored: with its secret's digest, never with the secret. */
export interface AdminToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly digest: string;
  /** The secret's first characters, such as `sk-admin-4fR`. */
  readonly prefix: string;
  readonly lastFour: string;
  /** The administrator that the token acts for. */
  readonly userId: string;
  /** The administrator's `administratorTerms` when the token was made; absent: 0. */
  readonly term?: number;
  /** Such as `keys:read`; see `lib/accounts/scopes.ts`. */
  readonly scopes: readonly string[];
  readonly expiresAtMs?: number;
  /** Addresses and CIDR blocks; absent means any address. */
  readonly ipAllowList?: readonly string[];
  readonly createdAtMs: number;
  /** Stored apart from the record, with a delay of up to a minute. */
  readonly lastUsedAtMs?: number;
}

const kind: Kind<AdminToken> = {
  name: "API token",
  version: 1,
  schema: z.object({
    id: z.string(),
    name: z.string(),
    digest: z.string(),
    prefix: z.string(),
    lastFour: z.string(),
    userId: z.string(),
    term: z.number().optional(),
    scopes: z.array(z.string()),
    expiresAtMs: z.number().optional(),
    ipAllowList: z.array(z.string()).optional(),
    createdAtMs: z.number(),
  }),
};

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
  const uses = await getEntries(store, found.map(({ id }) => keys.adminTokenUsed(id)));
  return found
    .map((token, at) => withUse(token, uses[at]?.value))
    .sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/** Throws `already_exists` if the id or the secret is taken. */
export async function createAdminToken(
  store: Store,
  token: AdminToken,
  { audit }: AuditOptions = {},
): Promise<void> {
  const recordKeys = [keys.adminToken(token.id), keys.adminTokenByDigest(token.digest)] as const;
  const operation = store.kv.atomic();
  for (const key of recordKeys) operation.check({ key, versionstamp: null });
  operation.set(recordKeys[0], encodeRecord(kind, token)).set(recordKeys[1], token.id);
  if (await store.commitChange(addAuditEntry(operation, audit))) return;
  throw new StoreError("already_exists", "Cannot create API token: its id or secret is taken");
}

/** The token stops working at once. Returns false if there was none. */
export async function deleteAdminToken(
  store: Store,
  id: string,
  { audit }: Pick<DeleteOptions<AdminToken>, "audit"> = {},
): Promise<boolean> {
  const place = { kind, key: keys.adminToken(id) };
  const deleted = await changeRecord(store, place, (token, operation) => {
    operation.delete(place.key).delete(keys.adminTokenByDigest(token.digest))
      .delete(keys.adminTokenUsed(id));
    addAuditEntry(operation, auditOf(audit, token, token));
    return true;
  });
  return deleted ?? false;
}

/** Deletes all tokens of a user. */
export async function deleteAdminTokensOf(store: Store, userId: string): Promise<void> {
  const all = await listRecords(store, kind, keys.adminTokens);
  for (const token of all) if (token.userId === userId) await deleteAdminToken(store, token.id);
}

/** Stores the time of a token's last use. Never replaces a later time. */
export async function noteAdminTokenUse(store: Store, id: string, atMs: number): Promise<void> {
  await store.kv.atomic().max(keys.adminTokenUsed(id), BigInt(atMs)).commit();
}

function withUse(token: AdminToken, used: unknown): AdminToken {
  return used instanceof Deno.KvU64 ? { ...token, lastUsedAtMs: Number(used.value) } : token;
}
