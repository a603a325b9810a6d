import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import {
  deleteSession,
  getTotp,
  getUser,
  getUserByEmail,
  type Session,
  updateUser,
  type User,
} from "../store/users/mod.ts";
import { checkPasskey, type PasskeySite } from "./passkeys.ts";
import { isFormerHash } from "./password_hash.ts";
import type { Passwords } from "./passwords.ts";
import { type LocalSignIn, maySignInLocally } from "./permissions.ts";
import { takeSecondStep } from "./second_step.ts";
import { sealed, unsealed } from "./secrets.ts";
import { knownDeviceId, newKnownDevice, startSession } from "./sessions.ts";
import { forgiveAttempts, makeAttempt, takeAttempt } from "./sign_in_wait.ts";

interface SignInServices {
  readonly store: Store;
  readonly passwords: Pick<Passwords, "hash" | "verify">;
  readonly nowMs: number;
  readonly sessionLifetimeMs?: number;
  /** Absent: everyone. */
  readonly localSignIn?: LocalSignIn;
}

/** The origin of a sign-in. */
export interface SignInFrom {
  readonly ip?: string;
  readonly userAgent?: string;
  /** The browser's `newKnownDevice` token of an earlier sign-in. */
  readonly device?: string;
}

interface PasswordSignIn extends SignInFrom {
  readonly email: string;
  readonly password: string;
}

interface SignedIn {
  readonly type: "signed-in";
  readonly user: User;
  readonly session: Session;
  /** For the cookie. */
  readonly token: string;
  /** Stored by the browser, so that it is known at the next sign-in. */
  readonly device: string;
}

/** `message` does not reveal which part was wrong. */
interface Refused {
  readonly type: "refused";
  readonly message: string;
}

export interface SignInWait {
  readonly type: "wait";
  readonly message: string;
  readonly retryAfterSeconds: number;
}

/** The password is correct and a code is required; `pending` must be sent with it. */
interface SecondStepWanted {
  readonly type: "second-step";
  readonly pending: string;
}

export type SignInResult = SignedIn | SecondStepWanted | Refused | SignInWait;

/**
 * Signs in by password. An unknown user takes as long, and gets the same message, as a wrong
 * password.
 */
export async function signIn(
  services: SignInServices,
  { email, password, ...from }: PasswordSignIn,
): Promise<SignInResult> {
  const { store, passwords, nowMs } = services;
  const name = email.trim().toLowerCase();
  const user = await getUserByEmail(store, name.slice(0, 300)); // a longer one is no address, and no store key either
  const deviceId = await knownDeviceId(store, from.device, user?.id);
  const attempt = { email: name, ip: from.ip, deviceId };
  const waitMs = await takeAttempt(store, attempt, nowMs);
  if (waitMs > 0) return waitResult(waitMs);
  const isKnown = deviceId !== undefined;
  const verify = () => passwords.verify(password, user?.passwordHash, { isKnown });
  const right = await makeAttempt(store, attempt, verify);
  if (user === undefined || !right || !user.enabled) return refused;
  if (!maySignInLocally(user, services.localSignIn)) return refused;
  await forgiveAttempts(store, attempt);
  const current = await withOwnHash(services, user, password);
  if (await getTotp(store, user.id)) {
    return { type: "second-step", pending: await sealPending(store, current, nowMs) };
  }
  return await signedInByPassword(services, current, from);
}

/**
 * Replaces an imported hash of bcrypt, now that the password is known. Returns the user as it was
 * checked if the password has changed meanwhile, so that no session starts.
 */
async function withOwnHash(
  { store, passwords }: SignInServices,
  user: User,
  password: string,
): Promise<User> {
  const former = user.passwordHash;
  if (former === undefined || !isFormerHash(former)) return user;
  const passwordHash = await passwords.hash(password);
  const renewed = await updateUser(
    store,
    user.id,
    (stored) => stored.passwordHash === former ? { ...stored, passwordHash } : stored,
  );
  return renewed?.passwordHash === passwordHash ? renewed : user;
}

/** Signs in with a code, after the password. Returns `gone` if the password was entered too long ago. */
export async function signInByCode(
  services: Omit<SignInServices, "passwords">,
  { pending, code, audit, ...from }: SignInFrom & {
    readonly pending: string;
    readonly code: string;
    /** Written when a recovery code is used up. */
    readonly audit?: (user: User) => AuditDraft;
  },
): Promise<Exclude<SignInResult, SecondStepWanted> | { readonly type: "gone" }> {
  const { store, nowMs } = services;
  const user = await openPending(store, pending, nowMs);
  if (user === undefined) return { type: "gone" };
  const deviceId = await knownDeviceId(store, from.device, user.id);
  const attempt = { email: user.email, ip: from.ip, deviceId, what: "code" } as const;
  const waitMs = await takeAttempt(store, attempt, nowMs);
  if (waitMs > 0) return waitResult(waitMs);
  const entered = { userId: user.id, code, audit: audit?.(user) };
  if (await takeSecondStep(store, entered, nowMs) === undefined) return refused;
  await forgiveAttempts(store, attempt);
  return await signedInByPassword(services, user, from);
}

/**
 * Opens a session, unless the password has changed meanwhile. A change sets the password before it
 * ends the sessions, so either it finds this session or this check sees the new password.
 */
async function signedInByPassword(
  services: Omit<SignInServices, "passwords">,
  user: User,
  from: SignInFrom,
): Promise<SignedIn | Refused> {
  const { store } = services;
  const signed = await signedInAs(services, user, from);
  const current = await getUser(store, user.id);
  if (current?.passwordHash === user.passwordHash) return signed;
  await deleteSession(store, signed.session.digest);
  return refused;
}

/**
 * Signs in with a passkey, which replaces both steps, because the authenticator verifies its owner.
 */
export async function signInByPasskey(
  services: Omit<SignInServices, "passwords">,
  { answer, site, ...from }: SignInFrom & { readonly answer: string; readonly site: PasskeySite },
): Promise<SignedIn | Refused> {
  const { store, nowMs } = services;
  const user = await checkPasskey({ store, site, nowMs }, answer);
  if (user === undefined || !maySignInLocally(user, services.localSignIn)) return refused;
  return await signedInAs(services, user, from);
}

/** Opens a session for a user who has proved their identity, and makes the browser known. */
export async function signedInAs(
  { store, nowMs, sessionLifetimeMs: lifetimeMs }: Omit<SignInServices, "passwords">,
  user: User,
  { ip, userAgent, device: earlier }: SignInFrom,
): Promise<SignedIn> {
  const known = await knownDeviceId(store, earlier, user.id);
  const device = known !== undefined && earlier !== undefined
    ? earlier
    : await newKnownDevice(store, user.id);
  const started = await startSession(store, user, { nowMs, ip, userAgent, lifetimeMs });
  return { type: "signed-in", user, device, ...started };
}

const refused: Refused = {
  type: "refused",
  message: "The e-mail address or the password is wrong",
};

/** The result for a caller that must wait before the next attempt. */
export function waitResult(waitMs: number): SignInWait {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const unit = retryAfterSeconds === 1 ? "second" : "seconds";
  return {
    type: "wait",
    message: `Too many attempts. Try again in ${retryAfterSeconds} ${unit}`,
    retryAfterSeconds,
  };
}

/** The time limit for the second step after a correct password. */
export const pendingLifetimeMs = 10 * 60 * 1_000;

interface Pending {
  readonly userId: string;
  /** Voids the proof when the password changes. */
  readonly passwordDigest: string;
  readonly expiresAtMs: number;
}

const context = "pending sign-in";

/** Seals the proof of a correct password; the browser returns it with the code. */
function sealPending(store: Store, user: User, nowMs: number): Promise<string> {
  const pending: Pending = {
    userId: user.id,
    passwordDigest: digestOf(user.passwordHash ?? ""),
    expiresAtMs: nowMs + pendingLifetimeMs,
  };
  return sealed(store, pending, context);
}

/** Returns the user of a sealed proof; undefined if it has expired or no longer applies. */
export async function openPending(
  store: Store,
  text: string,
  nowMs: number,
): Promise<User | undefined> {
  const pending = await unsealed<Pending>(store, text, context);
  if (pending === undefined || pending.expiresAtMs <= nowMs) return undefined;
  const user = await getUser(store, pending.userId);
  const same = digestOf(user?.passwordHash ?? "") === pending.passwordDigest;
  return user?.enabled && same ? user : undefined;
}
