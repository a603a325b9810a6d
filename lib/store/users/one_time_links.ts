import { type AdminToken, getAdminToken } from "../admin_tokens/admin_token.ts";
import { addAuditEntry, type AuditDraft, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { readInBatches } from "../kv/engine.ts";
import { newId } from "../kv/id.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { addStartingCredit, type InvitedSettings, invitedSettings } from "./invited.ts";
import {
  addUser,
  defaultSpending,
  endPasswordLink,
  firstAccountId,
  getUser,
  putUser,
  type User,
} from "./user.ts";

interface OneTimeLink {
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly digest: string;
  readonly expiresAtMs: number;
}

/** A one-time right to become the first administrator. */
type SetupLink = OneTimeLink;

const setupKind: Kind<SetupLink> = { name: "set-up link", version: 1 };

/** Returns a link, possibly one that has just expired: Deno KV deletes late. */
export function getSetupLink(store: Store, digest: string): Promise<SetupLink | undefined> {
  return getRecord(store, setupKind, keys.setupLink(digest));
}

export async function createSetupLink(
  store: Store,
  link: SetupLink,
  nowMs = Date.now(),
): Promise<void> {
  const expireIn = Math.max(1, link.expiresAtMs - nowMs);
  await store.kv.set(keys.setupLink(link.digest), encodeRecord(setupKind, link), { expireIn });
}

/**
 * Creates the first administrator and uses up the link, in one commit. Returns false if the link is
 * gone or there is an administrator already; true for only one of any concurrent callers.
 */
export async function redeemSetupLink(
  store: Store,
  digest: string,
  draft: Omit<User, "id" | "role" | "enabled" | "spending">,
  { audit }: { readonly audit?: (user: User) => AuditDraft } = {},
): Promise<boolean> {
  const entry = await store.kv.get(keys.setupLink(digest));
  if (entry.value === null) return false;
  const operation = store.kv.atomic().check(entry).delete(entry.key);
  const user: User = {
    ...draft,
    id: firstAccountId,
    role: "administrator",
    enabled: true,
    spending: defaultSpending(firstAccountId),
  };
  addAuditEntry(addUser(operation, user), audit?.(user));
  return await store.commitChange(operation);
}

/**
 * Records a one-time use. Returns false if it was used before; true for only one of any concurrent
 * callers. The record expires after `lifetimeMs`.
 */
export async function useOnce(store: Store, digest: string, lifetimeMs: number): Promise<boolean> {
  const key = keys.oneTimeUse(digest);
  const { ok } = await store.kv.atomic()
    .check({ key, versionstamp: null })
    .set(key, true, { expireIn: Math.max(1, lifetimeMs) })
    .commit();
  return ok;
}

/** A one-time right to make an account for one e-mail address. */
export interface Invitation
  extends OneTimeLink, Pick<User, "email" | "role">, InvitedSettings, MadeBy {}

const invitationKind: Kind<Invitation> = { name: "invitation", version: 1 };

/** Stores an invitation by its digest; the store forgets it when it expires. */
export async function createInvitation(
  store: Store,
  invitation: Invitation,
  { nowMs, audit }: { readonly nowMs: number; readonly audit?: AuditDraft },
): Promise<void> {
  const expireIn = Math.max(1, invitation.expiresAtMs - nowMs);
  const value = encodeRecord(invitationKind, invitation);
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
  return getRecord(store, invitationKind, keys.invitation(digest));
}

/** All invitations, possibly with some that have just expired. */
export function listInvitations(store: Store): Promise<Invitation[]> {
  return listRecords(store, invitationKind, keys.invitations);
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
  const invitation = decodeRecord(invitationKind, entry.value);
  const { maker, entries } = await readMaker(store, invitation);
  if (!holds(invitation, maker)) return undefined;
  const { email, role } = invitation;
  const created = { id: newId("usr"), createdAtMs: nowMs, enabled: true, passwordHash };
  const user: User = { ...created, email, role, ...invitedSettings(invitation) };
  const operation = addUser(
    store.kv.atomic().check(entry, ...entries).delete(entry.key),
    user,
  );
  await addStartingCredit(store, operation, invitation, user);
  addAuditEntry(operation, audit?.(user));
  return await store.commitChange(operation) ? user : undefined;
}

/** A one-time right to set one user's password. A user has one link: the newest. */
interface PasswordLink extends OneTimeLink, MadeBy {
  readonly userId: string;
  /** The hash of the password when the link was created; once it changes, the link is invalid. */
  readonly passwordHash?: string;
}

/** A link with everything that decides whether it holds. */
export interface FoundLink {
  readonly link: PasswordLink;
  readonly user: User;
  readonly maker: LinkMaker;
}

const passwordKind: Kind<PasswordLink> = { name: "password link", version: 1 };

/** Stores a link by its digest, and ends the user's former one; the store forgets it when it expires. */
export async function createPasswordLink(
  store: Store,
  link: PasswordLink,
  { nowMs, audit }: AuditOptions & { readonly nowMs: number },
): Promise<void> {
  const expireIn = Math.max(1, link.expiresAtMs - nowMs);
  const operation = store.kv.atomic()
    .set(keys.passwordLink(link.digest), encodeRecord(passwordKind, link), { expireIn })
    .set(keys.passwordLinkOfUser(link.userId), link.digest, { expireIn });
  await addAuditEntry(operation, audit).commit();
}

/** Returns a user's newest link, possibly one that has just expired: Deno KV deletes late. */
export async function getPasswordLink(
  store: Store,
  digest: string,
): Promise<FoundLink | undefined> {
  return (await readLink(store, digest))?.found;
}

/**
 * Sets the password and uses up the link, in one commit with everything that `holds` was given.
 * Returns undefined if the link does not hold; the user for only one of any concurrent callers.
 */
export async function setPasswordByLink(
  store: Store,
  digest: string,
  { passwordHash, holds, audit }: AuditOptions & {
    readonly passwordHash: string;
    readonly holds: (found: FoundLink) => boolean;
  },
): Promise<User | undefined> {
  const { user } = await untilCommitted(passwordKind.name, async () => {
    const read = await readLink(store, digest);
    if (read === undefined || !holds(read.found)) return { user: undefined };
    const user = { ...read.found.user, passwordHash };
    const operation = store.kv.atomic().check(...read.entries).delete(keys.passwordLink(digest));
    addAuditEntry(putUser(endPasswordLink(operation, user.id), user), audit);
    return await store.commitChange(operation) ? { user } : undefined;
  });
  return user;
}

/** Ends a user's link, if there is one. */
export async function deletePasswordLink(store: Store, userId: string): Promise<void> {
  await endPasswordLink(store.kv.atomic(), userId).commit();
}

/** The entries are read first, so that a commit that checks them fails after any change. */
async function readLink(store: Store, digest: string) {
  const link = await getRecord(store, passwordKind, keys.passwordLink(digest));
  if (link === undefined) return undefined;
  const { userId } = link;
  const own = await readInBatches(store.kv, [keys.passwordLinkOfUser(userId), keys.user(userId)]);
  const { maker, entries } = await readMaker(store, link);
  const user = await getUser(store, userId);
  if (user === undefined || own[0].value !== digest) return undefined;
  return { found: { link, user, maker }, entries: [...own, ...entries] };
}

/** The administrator who made a link, in the console or by an API token. */
export interface MadeBy {
  readonly createdBy: string;
  /** The administrator's term. Absent: 0. */
  readonly term?: number;
  /** Absent if the link was made in the console. */
  readonly tokenId?: string;
}

/** The maker of a link as stored now; undefined parts are gone. */
export interface LinkMaker {
  readonly made: MadeBy;
  readonly user?: User;
  readonly token?: AdminToken;
}

/**
 * Reads the maker of a link. A commit that checks the entries fails if the maker's rights have
 * changed since.
 */
async function readMaker(
  store: Store,
  made: MadeBy,
): Promise<{ readonly maker: LinkMaker; readonly entries: readonly Deno.KvEntryMaybe<unknown>[] }> {
  const { createdBy, tokenId } = made;
  const tokenKeys = tokenId === undefined ? [] : [keys.adminToken(tokenId)];
  const entries = await readInBatches(store.kv, [keys.user(createdBy), ...tokenKeys]);
  const user = await getUser(store, createdBy);
  const token = tokenId === undefined ? undefined : await getAdminToken(store, tokenId);
  return { maker: { made, user, token }, entries };
}
