import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, getRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** A passkey, which WebAuthn calls a credential. It contains no secret. */
export interface Passkey {
  /** SHA-256 of the credential's id, in hexadecimal. */
  readonly id: string;
  /** In base64url, as browsers write it. */
  readonly credentialId: string;
  readonly userId: string;
  /** The host that it was made for; it signs in to no other. */
  readonly rpId: string;
  /** In COSE, as base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; always 0 if it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** The owner's name for it. */
  readonly name: string;
  /** True if it is synced between devices. */
  readonly isSynced: boolean;
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

const kind: Kind<Passkey> = { name: "passkey", version: 1 };

/** Undefined if there is none. */
export function getPasskey(store: Store, id: string): Promise<Passkey | undefined> {
  return getRecord(store, kind, keys.passkey(id));
}

/** Oldest first. */
export async function listPasskeys(store: Store, userId: string): Promise<Passkey[]> {
  const prefix = keys.passkeysOfUser(userId);
  const ids: string[] = [];
  for await (const { key } of store.kv.list({ prefix })) ids.push(String(key.at(-1)));
  const passkeys = await getRecords(store, kind, ids.map(keys.passkey));
  return passkeys
    .filter((passkey) => passkey !== undefined)
    .sort((a, b) => a.createdAtMs - b.createdAtMs);
}

/** Returns false if the credential is already registered, to any user. */
export async function createPasskey(
  store: Store,
  passkey: Passkey,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  const key = keys.passkey(passkey.id);
  const operation = store.kv.atomic()
    .check({ key, versionstamp: null })
    .set(key, encodeRecord(kind, passkey))
    .set(keys.passkeyOfUser(passkey.userId, passkey.id), true);
  return (await addAuditEntry(operation, audit).commit()).ok;
}

/** Returns undefined if there is none, or if `change` returns undefined; then nothing changes. */
export async function updatePasskey(
  store: Store,
  id: string,
  change: (passkey: Passkey) => Passkey | undefined,
  { audit }: Pick<ChangeOptions<Passkey>, "audit"> = {},
): Promise<Passkey | undefined> {
  const { result } = await untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(keys.passkey(id));
    if (entry.value === null) return { result: undefined };
    const current = decodeRecord(kind, entry.value);
    const result = change(current);
    if (result === undefined) return { result };
    const operation = store.kv.atomic().check(entry).set(entry.key, encodeRecord(kind, result));
    addAuditEntry(operation, auditOf(audit, current, result));
    return (await operation.commit()).ok ? { result } : undefined;
  });
  return result;
}

/** Returns false if there was none. */
export function deletePasskey(
  store: Store,
  { id, userId }: Pick<Passkey, "id" | "userId">,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  return untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(keys.passkey(id));
    if (entry.value === null) return false;
    const operation = store.kv.atomic()
      .check(entry)
      .delete(entry.key)
      .delete(keys.passkeyOfUser(userId, id));
    return (await addAuditEntry(operation, audit).commit()).ok || undefined;
  });
}
