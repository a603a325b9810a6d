import { digestOf, type Store, StoreUnavailable } from "../store/mod.ts";
import {
  createSession,
  getSession,
  getUser,
  type Session,
  termOf,
  updateSession,
  type User,
} from "../store/users/mod.ts";
import { newToken, sealed, unsealed } from "./secrets.ts";

/** Lifetime of a session without use. */
export const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1_000;
/** The minimum interval between records of use, so that page views do not write to the store. */
const noteIntervalMs = 5 * 60 * 1_000;
const userAgentLengthMax = 300;

interface OpenedSession {
  readonly session: Session;
  readonly user: User;
}

/** Signs a user in, for the term in which the identity was proved. The token goes only into the cookie. */
export async function startSession(
  store: Store,
  user: User,
  { nowMs, ip, userAgent, lifetimeMs = sessionLifetimeMs }: {
    readonly nowMs: number;
    readonly ip?: string;
    readonly userAgent?: string;
    readonly lifetimeMs?: number;
  },
): Promise<{ readonly session: Session; readonly token: string }> {
  const token = newToken();
  const session: Session = {
    digest: digestOf(token),
    userId: user.id,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + lifetimeMs,
    lastSeenAtMs: nowMs,
    term: termOf(user),
    ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, userAgentLengthMax) }),
    ...(ip === undefined ? {} : { ip }),
  };
  await createSession(store, session, nowMs);
  return { session, token };
}

/**
 * Returns the token's user, and the session with its use noted; undefined if it has ended, or the
 * user is disabled or has another role by now.
 */
export async function openSession(
  store: Store,
  token: string,
  { nowMs, lifetimeMs = sessionLifetimeMs }: {
    readonly nowMs: number;
    readonly lifetimeMs?: number;
  },
): Promise<OpenedSession | undefined> {
  const opened = await validSession(store, digestOf(token), nowMs);
  if (opened === undefined) return undefined;
  const { session, user } = opened;
  if (nowMs - session.lastSeenAtMs < noteIntervalMs) return { session, user };
  const change = (current: Session) => ({
    ...current,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + lifetimeMs,
  });
  const moved = await updateSession(store, session.digest, { change, nowMs }).catch((error) => {
    if (error instanceof StoreUnavailable) return session; // administrators must be able to sign in to see the store's fault
    throw error;
  });
  return moved === undefined ? undefined : { session: moved, user };
}

/** Returns a session and its user; undefined if it has ended, or the user's role has changed. */
export async function validSession(
  store: Store,
  digest: string,
  nowMs: number,
): Promise<OpenedSession | undefined> {
  const session = await getSession(store, digest);
  if (session === undefined || session.expiresAtMs <= nowMs) return undefined;
  const user = await getUser(store, session.userId);
  return user?.enabled && termOf(user) === termOf(session) ? { session, user } : undefined;
}

/** Lifetime of a known browser. */
export const knownDeviceLifetimeMs = 365 * 24 * 60 * 60 * 1_000;

interface KnownDevice {
  readonly userId: string;
  readonly id: string;
}

const context = "known device";

/**
 * Creates the cookie by which a browser stays known after signing out. Wrong passwords from
 * elsewhere do not delay a known browser. The cookie alone grants no access.
 */
export function newKnownDevice(store: Store, userId: string): Promise<string> {
  const device: KnownDevice = { userId, id: newToken() };
  return sealed(store, device, context);
}

/** Returns the id of a user's known browser; undefined if it is not one. */
export async function knownDeviceId(
  store: Store,
  cookie: string | undefined,
  userId: string | undefined,
): Promise<string | undefined> {
  if (cookie === undefined || userId === undefined) return undefined;
  const device = await unsealed<KnownDevice>(store, cookie, context);
  return device?.userId === userId ? device.id : undefined;
}
