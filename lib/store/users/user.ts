import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import { endTokensOf, mayHaveTokens } from "../admin_tokens/admin_token.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { StoreError } from "../kv/error.ts";
import {
  changeRecord,
  encodeRecord,
  getRecord,
  getRecords,
  type Kind,
  listRecords,
} from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { Bounds } from "../money/budget.ts";
import { deleteRecordedContents } from "../recordings/recorded_content.ts";
import { wholeAccount } from "../recordings/recording.ts";
import { deleteSessions } from "./session.ts";

/**
 * The role of a user: administrators manage everything, billing manages money, viewers read
 * everything, members use their own accounts.
 */
export type Role = "administrator" | "billing" | "viewer" | "member";

/** The spending of an account: prepaid needs money in its wallet, unlimited is only recorded. */
type Spending = "prepaid" | "unlimited";

/** The spending limits of an account. */
export interface Account extends Bounds {
  readonly spending: Spending;
  /** The project whose limits bind it too; absent: it is a project of one. */
  readonly projectId?: string;
}

/** The mails that a user wants; all by default. */
export interface MailChoice {
  readonly alerts?: false;
  readonly report?: false;
  /** The language of the console when the user last chose one; absent: the site's. */
  readonly locale?: string;
}

/** A user of the console, and the account that owns API keys and a wallet. */
export interface User extends Account {
  readonly id: string;
  /** In lower case; unique. */
  readonly email: string;
  readonly role: Role;
  /**
   * In PHC form, such as `$argon2id$v=19$…`, or of bcrypt until an imported user signs in; absent
   * for users without a password.
   */
  readonly passwordHash?: string;
  readonly createdAtMs: number;
  /** The group that the user's keys get unless another is chosen; absent: the default group. */
  readonly groupId?: string;
  readonly mail?: MailChoice;
  /** If false, neither the user nor the user's API keys have access. */
  readonly enabled: boolean;
  /**
   * Grows whenever the role changes, or the access beyond the own account ends. The user's sessions,
   * and links that the user made, hold for one term. Absent: 0.
   */
  readonly term?: number;
}

/**
 * The account of the first administrator. It has this id from the start: keys that the
 * configuration declares belong to it even before set-up. It can be neither deleted, disabled nor
 * demoted, so there is always an administrator.
 */
export const firstAccountId = "owner";

/** Returns an account's default spending, also before its user exists. */
export function defaultSpending(accountId: string): Spending {
  return accountId === firstAccountId ? "unlimited" : "prepaid";
}

const kind: Kind<User> = { name: "user", version: 2 };

/** Returns undefined if there is no such user. */
export function getUser(store: Store, id: string): Promise<User | undefined> {
  return getRecord(store, kind, keys.user(id));
}

/** Returns users, in order; undefined for ids without one. */
export function getUsers(store: Store, ids: readonly string[]): Promise<(User | undefined)[]> {
  return getRecords(store, kind, ids.map(keys.user));
}

/** Returns the user with an address in lower case; undefined if there is none. */
export async function getUserByEmail(store: Store, email: string): Promise<User | undefined> {
  const { value } = await store.kv.get<string>(keys.userByEmail(email));
  return value === null ? undefined : await getUser(store, value);
}

/** All users, oldest first. */
export async function listUsers(store: Store): Promise<User[]> {
  const users = await listRecords(store, kind, keys.users);
  return users.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

/** Returns true if there are at least two users. */
export async function hasSeveralUsers({ kv }: Store): Promise<boolean> {
  const found = await Array.fromAsync(kv.list({ prefix: keys.users }, { limit: 2 }));
  return found.length > 1;
}

/** Throws `already_exists` if the id or the address is taken. */
export async function createUser(
  store: Store,
  user: User,
  { audit }: AuditOptions = {},
): Promise<void> {
  const operation = addAuditEntry(addUser(store.kv.atomic(), user), audit);
  if (!await store.commitChange(operation)) throw taken(user.email);
}

/** Adds a new user to a commit, which fails if the id or the address is taken. */
export function addUser(operation: AtomicOperation, user: User): AtomicOperation {
  const [key, emailKey] = [keys.user(user.id), keys.userByEmail(user.email)];
  return operation
    .check({ key, versionstamp: null }, { key: emailKey, versionstamp: null })
    .set(key, encodeRecord(kind, user))
    .set(emailKey, user.id);
}

/**
 * Returns undefined if there is no such user. The id cannot change. In the same commit, the user's
 * sessions, password link, API tokens, and the links that the user made end, permanently, when the
 * role changes. All but the password link end when a user is disabled whose role is not member.
 */
export async function updateUser(
  store: Store,
  id: string,
  change: (user: User) => User,
  { audit }: Pick<ChangeOptions<User>, "audit"> = {},
): Promise<User | undefined> {
  const place = { kind, key: keys.user(id) };
  const saved = await changeRecord(store, place, async (current, operation) => {
    const wanted = change(current);
    const hasNewRole = current.role !== wanted.role;
    const isNewTerm = hasNewRole || (mayHaveTokens(current) && !mayHaveTokens(wanted));
    const user = { ...wanted, id, ...(isNewTerm && { term: termOf(current) + 1 }) };
    if (id === firstAccountId && (!user.enabled || user.role !== "administrator")) {
      throw firstStays();
    }
    if (user.email !== current.email) await moveEmail(store, operation, current, user);
    putUser(operation, user);
    const draft = auditOf(audit, current, user);
    addAuditEntry(operation, draft);
    if (isNewTerm) await endTokensOf(store, operation, { userId: id, audit: draft });
    if (hasNewRole) endPasswordLink(operation, id);
    return { user, isNewTerm };
  });
  if (saved?.isNewTerm) await deleteSessions(store, id); // the commit has ended them
  return saved?.user;
}

/** The term of a user, or the one in which a session or a link was made. */
export function termOf({ term = 0 }: Pick<User, "term">): number {
  return term;
}

/** Adds the end of a user's password link to a commit. */
export function endPasswordLink(
  operation: AtomicOperation,
  userId: string,
): AtomicOperation {
  return operation.delete(keys.passwordLinkOfUser(userId));
}

/** Adds the replacement of a user's record to a commit, which must check the former one. */
export function putUser(operation: AtomicOperation, user: User): AtomicOperation {
  return operation.set(keys.user(user.id), encodeRecord(kind, user));
}

/**
 * Deletes a user with the API tokens; the API keys and sessions stop working. Returns false if there
 * was none.
 */
export async function deleteUser(
  store: Store,
  id: string,
  { audit }: Pick<DeleteOptions<User>, "audit"> = {},
): Promise<boolean> {
  if (id === firstAccountId) throw firstStays();
  const deleted = await changeRecord(
    store,
    { kind, key: keys.user(id) },
    async (user, operation) => {
      operation.delete(keys.user(id)).delete(keys.userByEmail(user.email)).delete(
        keys.userSeen(id),
      ).delete(keys.recording(id, wholeAccount));
      const draft = auditOf(audit, user, user);
      addAuditEntry(operation, draft);
      await endTokensOf(store, operation, { userId: id, audit: draft });
      return true;
    },
  );
  if (deleted) await deleteRecordedContents(store, id);
  return deleted ?? false;
}

async function moveEmail(
  store: Store,
  operation: AtomicOperation,
  current: User,
  user: User,
): Promise<void> {
  const entry = await store.kv.get(keys.userByEmail(user.email));
  if (entry.value !== null) throw taken(user.email);
  operation.check(entry).set(entry.key, user.id).delete(keys.userByEmail(current.email));
}

function taken(email: string): StoreError {
  return new StoreError("already_exists", `Cannot save user: ${email} already has an account`);
}

function firstStays(): StoreError {
  return new StoreError(
    "protected",
    "Cannot change user: the first administrator can be neither deleted, disabled nor demoted",
  );
}
