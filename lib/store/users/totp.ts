import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { readInBatches } from "../kv/engine.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/**
 * The second factor of a user's sign-in: time-based one-time codes (RFC 6238), and recovery codes
 * for a lost device.
 */
export interface Totp {
  readonly userId: string;
  /** The secret in base 32, sealed for `totp/<user id>`. */
  readonly sealedSecret: string;
  /** The time step of the last accepted code; codes of this and earlier steps are rejected. */
  readonly lastStep: number;
  /** SHA-256 of the unused recovery codes, in hexadecimal. */
  readonly recoveryDigests: readonly string[];
  readonly createdAtMs: number;
}

const kind: Kind<Totp> = { name: "second step", version: 1 };

/** Returns undefined if the user has no second factor. */
export function getTotp(store: Store, userId: string): Promise<Totp | undefined> {
  return getRecord(store, kind, keys.totp(userId));
}

/** Returns the users who have a second factor, of many. */
export async function usersWithTotp(
  store: Store,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const entries = await readInBatches(store.kv, userIds.map(keys.totp));
  return new Set(userIds.filter((_, at) => entries[at].value !== null));
}

/** Returns false if the user already has one. */
export async function createTotp(
  store: Store,
  totp: Totp,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  const key = keys.totp(totp.userId);
  const operation = store.kv.atomic()
    .check({ key, versionstamp: null })
    .set(key, encodeRecord(kind, totp));
  return (await addAuditEntry(operation, audit).commit()).ok;
}

/**
 * Returns false if there is none or `change` returns undefined, in which case nothing changes; null
 * deletes it. The write checks the record that `change` was given, so a code cannot be used twice.
 */
export function updateTotp(
  store: Store,
  userId: string,
  change: (totp: Totp) => Totp | null | undefined,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  return untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(keys.totp(userId));
    const changed = entry.value === null ? undefined : change(decodeRecord(kind, entry.value));
    if (changed === undefined) return false;
    const operation = store.kv.atomic().check(entry);
    if (changed === null) operation.delete(entry.key);
    else operation.set(entry.key, encodeRecord(kind, changed));
    return (await addAuditEntry(operation, audit).commit()).ok || undefined;
  });
}

/** Returns false if there was none. */
export function deleteTotp(
  store: Store,
  userId: string,
  options?: AuditOptions,
): Promise<boolean> {
  return updateTotp(store, userId, () => null, options);
}
