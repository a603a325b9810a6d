import { addAuditEntry, type AuditDraft, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { newId } from "../kv/id.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { type LinkMaker, type MadeBy, readMaker } from "./link_maker.ts";
import { addUser, type User } from "./user.ts";

/** A one-time right to make an account for one e-mail address. */
export interface Invitation extends Pick<User, "email" | "role" | "spending">, MadeBy {
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly digest: string;
  readonly expiresAtMs: number;
}

const kind: Kind<Invitation> = { name: "invitation", version: 1 };

/** Stores an invitation by its digest; the store forgets it when it expires. */
export async function createInvitation(
  store: Store,
  invitation: Invitation,
  { nowMs, audit }: { readonly nowMs: number; readonly audit?: AuditDraft },
): Promise<void> {
  const expireIn = Math.max(1, invitation.expiresAtMs - nowMs);
  const value = encodeRecord(kind, invitation);
  const operation = store.kv.atomic()
    .set(keys.invitation(invitation.digest), value, { expireIn });
  await addAuditEntry(operation, audit).commit();
}

/** The maker of an invitation as stored now. */
export async function makerOfInvitation(store: Store, invitation: Invitation): Promise<LinkMaker> {
  return (await readMaker(store, invitation)).maker;
}

/** Returns an invitation, possibly one that has just expired: Deno KV deletes late. */
export function getInvitation(store: Store, digest: string): Promise<Invitation | undefined> {
  return getRecord(store, kind, keys.invitation(digest));
}

/** All invitations, possibly with some that have just expired. */
export function listInvitations(store: Store): Promise<Invitation[]> {
  return listRecords(store, kind, keys.invitations);
}

/** Revokes one invitation. Returns false if it is gone. */
export async function deleteInvitation(
  store: Store,
  digest: string,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  const entry = await store.kv.get(keys.invitation(digest));
  if (entry.value === null) return false;
  const operation = store.kv.atomic().check(entry).delete(entry.key);
  return (await addAuditEntry(operation, audit).commit()).ok;
}

/** Revokes all invitations to an address. */
export async function deleteInvitations(store: Store, email: string): Promise<void> {
  for (const invitation of await listInvitations(store)) {
    if (invitation.email === email) await store.kv.delete(keys.invitation(invitation.digest));
  }
}

/**
 * Creates the user and uses up the link, in one commit with everything that `holds` was given.
 * Returns undefined if the link is gone or does not hold, or the address has an account by now. Only
 * one of any concurrent callers gets the user.
 */
export async function redeemInvitation(
  store: Store,
  digest: string,
  { passwordHash, holds, nowMs, audit }: {
    readonly passwordHash: string;
    readonly holds: (invitation: Invitation, maker: LinkMaker) => boolean;
    readonly nowMs: number;
    readonly audit?: (user: User) => AuditDraft;
  },
): Promise<User | undefined> {
  const entry = await store.kv.get(keys.invitation(digest));
  if (entry.value === null) return undefined;
  const invitation = decodeRecord(kind, entry.value);
  const { maker, entries } = await readMaker(store, invitation);
  if (!holds(invitation, maker)) return undefined;
  const { email, role, spending } = invitation;
  const id = newId("usr");
  const user = { id, email, role, spending, passwordHash, createdAtMs: nowMs, enabled: true };
  const operation = addUser(
    store.kv.atomic().check(entry, ...entries).delete(entry.key),
    user,
  );
  addAuditEntry(operation, audit?.(user));
  return await store.commitChange(operation) ? user : undefined;
}
