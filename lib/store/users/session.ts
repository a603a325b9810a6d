import { addAuditEntry, type AuditDraft, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { decodeRecord, encodeRecord, getRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** A signed-in browser of the console. */
export interface Session {
  /** SHA-256 of the cookie's value, in hexadecimal. */
  readonly digest: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly lastSeenAtMs: number;
  /** Time of the last proof of identity; absent means the sign-in. */
  readonly provedAtMs?: number;
  readonly userAgent?: string;
  readonly ip?: string;
  /** The user's term at the sign-in; the session ends with it. Absent: 0. */
  readonly term?: number;
}

const kind: Kind<Session> = { name: "session", version: 1 };

/** A commit allows 1,000 changes, and a session needs two. */
const sessionsPerCommit = 400;

/** Returns a session, possibly one that has just expired: Deno KV deletes late. */
export function getSession(store: Store, digest: string): Promise<Session | undefined> {
  return getRecord(store, kind, keys.session(digest));
}

/** Last seen first. */
export async function listSessions(store: Store, userId: string): Promise<Session[]> {
  const sessions = await getRecords(store, kind, await sessionKeys(store, userId));
  return sessions
    .filter((session) => session !== undefined)
    .sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs);
}

/**
 * The time at which a user was last seen in any session, including ended ones; undefined before the
 * first.
 */
export async function getLastSeen(store: Store, userId: string): Promise<number | undefined> {
  const { value } = await store.kv.get<Deno.KvU64>(keys.userSeen(userId));
  return value === null ? undefined : Number(value.value);
}

/** Stores a session; the store forgets it when it ends. */
export async function createSession(
  store: Store,
  session: Session,
  nowMs = Date.now(),
): Promise<void> {
  await put(store.kv.atomic(), session, nowMs).commit();
}

/**
 * Returns undefined if there is no such session, or if it ended meanwhile: an ended session never
 * returns.
 */
export async function updateSession(
  store: Store,
  digest: string,
  { change, nowMs }: { readonly change: (session: Session) => Session; readonly nowMs: number },
): Promise<Session | undefined> {
  const entry = await store.kv.get(keys.session(digest));
  if (entry.value === null) return undefined;
  const current = decodeRecord(kind, entry.value);
  const session = { ...change(current), digest, userId: current.userId };
  const { ok } = await put(store.kv.atomic().check(entry), session, nowMs).commit();
  return ok ? session : await getSession(store, digest);
}

/** Ends a session. Does nothing if there is none. */
export async function deleteSession(
  store: Store,
  digest: string,
  { audit }: AuditOptions = {},
): Promise<void> {
  const session = await getSession(store, digest);
  if (session === undefined) return;
  const operation = store.kv.atomic()
    .delete(keys.session(digest))
    .delete(keys.sessionOfUser(session.userId, digest));
  await addAuditEntry(operation, audit).commit();
}

/** Ends all sessions of a user, or all but one. */
export async function deleteSessions(
  store: Store,
  userId: string,
  { exceptDigest, audit }: { readonly exceptDigest?: string; readonly audit?: AuditDraft } = {},
): Promise<void> {
  const found = await sessionKeys(store, userId);
  const digests = found.map((key) => String(key.at(-1))).filter((one) => one !== exceptDigest);
  for (let start = 0; start === 0 || start < digests.length; start += sessionsPerCommit) {
    const operation = addAuditEntry(store.kv.atomic(), start === 0 ? audit : undefined);
    for (const digest of digests.slice(start, start + sessionsPerCommit)) {
      operation.delete(keys.session(digest)).delete(keys.sessionOfUser(userId, digest));
    }
    await operation.commit();
  }
}

function put(
  operation: AtomicOperation,
  session: Session,
  nowMs: number,
): AtomicOperation {
  const expireIn = Math.max(1, session.expiresAtMs - nowMs);
  return operation
    .set(keys.session(session.digest), encodeRecord(kind, session), { expireIn })
    .set(keys.sessionOfUser(session.userId, session.digest), true, { expireIn })
    .max(keys.userSeen(session.userId), BigInt(session.lastSeenAtMs));
}

async function sessionKeys(store: Store, userId: string): Promise<Deno.KvKey[]> {
  const found: Deno.KvKey[] = [];
  for await (const { key } of store.kv.list({ prefix: keys.sessionsOfUser(userId) })) {
    found.push(keys.session(String(key.at(-1))));
  }
  return found;
}
