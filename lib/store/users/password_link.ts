import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { getEntries } from "../kv/entries.ts";
import { encodeRecord, getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { type LinkMaker, type MadeBy, readMaker } from "./link_maker.ts";
import { endPasswordLink, getUser, putUser, type User } from "./user.ts";

/** A one-time right to set one user's password. A user has one link: the newest. */
interface PasswordLink extends MadeBy {
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly digest: string;
  readonly userId: string;
  /** The hash of the password when the link was created; once it changes, the link is invalid. */
  readonly passwordHash?: string;
  readonly expiresAtMs: number;
}

/** A link with everything that decides whether it holds. */
export interface FoundLink {
  readonly link: PasswordLink;
  readonly user: User;
  readonly maker: LinkMaker;
}

const kind: Kind<PasswordLink> = { name: "password link", version: 1 };

/** Stores a link by its digest, and ends the user's former one; the store forgets it when it expires. */
export async function createPasswordLink(
  store: Store,
  link: PasswordLink,
  { nowMs, audit }: AuditOptions & { readonly nowMs: number },
): Promise<void> {
  const expireIn = Math.max(1, link.expiresAtMs - nowMs);
  const operation = store.kv.atomic()
    .set(keys.passwordLink(link.digest), encodeRecord(kind, link), { expireIn })
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
  const { user } = await untilCommitted(kind.name, async () => {
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
  const link = await getRecord(store, kind, keys.passwordLink(digest));
  if (link === undefined) return undefined;
  const { userId } = link;
  const own = await getEntries(store, [keys.passwordLinkOfUser(userId), keys.user(userId)]);
  const { maker, entries } = await readMaker(store, link);
  const user = await getUser(store, userId);
  if (user === undefined || own[0].value !== digest) return undefined;
  return { found: { link, user, maker }, entries: [...own, ...entries] };
}
