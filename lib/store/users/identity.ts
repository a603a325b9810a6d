import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { digestOf } from "../kv/digest.ts";
import { StoreError } from "../kv/error.ts";
import { decodeRecord, encodeRecord, getRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { Invitation } from "./invitation.ts";
import { addUser, getUser, type User } from "./user.ts";

/** A user's account at a sign-in provider. Contains no secret. */
export interface Identity {
  /** `identityId` of issuer and subject. */
  readonly id: string;
  readonly issuer: string;
  /** The provider's own, unchanging name of the user. */
  readonly subject: string;
  readonly userId: string;
  /** The id of the provider in the configuration at the last sign-in. */
  readonly provider: string;
  /** The address that the provider last verified. */
  readonly email?: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

const kind: Kind<Identity> = { name: "identity", version: 1 };

/** SHA-256 of issuer and subject, in hexadecimal: a provider may be renamed in the configuration. */
export function identityId(issuer: string, subject: string): string {
  return digestOf(JSON.stringify([issuer, subject]));
}

/** Undefined if there is none. */
export function getIdentity(store: Store, id: string): Promise<Identity | undefined> {
  return getRecord(store, kind, keys.identity(id));
}

/** Oldest first. */
export async function listIdentities(store: Store, userId: string): Promise<Identity[]> {
  const ids: string[] = [];
  for await (const { key } of store.kv.list({ prefix: keys.identitiesOfUser(userId) })) {
    ids.push(String(key.at(-1)));
  }
  const identities = await getRecords(store, kind, ids.map(keys.identity));
  return identities
    .filter((identity) => identity !== undefined)
    .sort((a, b) => a.createdAtMs - b.createdAtMs);
}

/** Returns false if the identity already belongs to a user, or its user changes or does not hold. */
export async function createIdentity(
  store: Store,
  identity: Identity,
  { holds = () => true, audit }: AuditOptions & {
    readonly holds?: (user: User) => boolean;
  } = {},
): Promise<boolean> {
  const entry = await store.kv.get(keys.user(identity.userId));
  const user = await getUser(store, identity.userId);
  if (user === undefined || !holds(user)) return false;
  const operation = addIdentity(store.kv.atomic().check(entry), identity);
  return (await addAuditEntry(operation, audit).commit()).ok;
}

/**
 * Creates a user together with the identity, in one commit, which uses up an invitation. Throws
 * `already_exists` if the address or the identity is taken, or the invitation is gone.
 */
export async function createUserOfIdentity(
  store: Store,
  user: User,
  { identity, invitation, audit }: AuditOptions & {
    readonly identity: Identity;
    readonly invitation?: Pick<Invitation, "digest">;
  },
): Promise<void> {
  const operation = addIdentity(addUser(store.kv.atomic(), user), identity);
  if (invitation) {
    const entry = await store.kv.get(keys.invitation(invitation.digest));
    if (entry.value === null) throw taken(user);
    operation.check(entry).delete(entry.key);
  }
  if (!await store.commitChange(addAuditEntry(operation, audit))) throw taken(user);
}

function taken({ email }: User): StoreError {
  return new StoreError("already_exists", `Cannot save user: ${email} already has an account`);
}

/** Returns undefined if there is none. The id and the owner cannot change. */
export async function updateIdentity(
  store: Store,
  id: string,
  change: (identity: Identity) => Identity,
): Promise<Identity | undefined> {
  const { result } = await untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(keys.identity(id));
    if (entry.value === null) return { result: undefined };
    const current = decodeRecord(kind, entry.value);
    const result = { ...change(current), id, userId: current.userId };
    const operation = store.kv.atomic().check(entry).set(entry.key, encodeRecord(kind, result));
    return (await operation.commit()).ok ? { result } : undefined;
  });
  return result;
}

/** Returns false if there was none. */
export function deleteIdentity(
  store: Store,
  { id, userId }: Pick<Identity, "id" | "userId">,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  return untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(keys.identity(id));
    if (entry.value === null) return false;
    const operation = store.kv.atomic()
      .check(entry)
      .delete(entry.key)
      .delete(keys.identityOfUser(userId, id));
    return (await addAuditEntry(operation, audit).commit()).ok || undefined;
  });
}

function addIdentity(
  operation: AtomicOperation,
  identity: Identity,
): AtomicOperation {
  const key = keys.identity(identity.id);
  return operation
    .check({ key, versionstamp: null })
    .set(key, encodeRecord(kind, identity))
    .set(keys.identityOfUser(identity.userId, identity.id), true);
}
