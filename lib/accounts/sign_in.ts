import { getUserByEmail, type Session, type Store, type User } from "../store/mod.ts";
import type { Passwords } from "./passwords.ts";
import { startSession } from "./sessions.ts";
import { forgiveAttempts, takeAttempt } from "./sign_in_wait.ts";

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly ip?: string;
  readonly userAgent?: string;
}

export type SignInResult =
  | {
    readonly type: "signed-in";
    readonly user: User;
    readonly session: Session;
    /** For the cookie. */
    readonly token: string;
  }
  /** `message` is the same whatever was wrong. */
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "wait"; readonly message: string; readonly retryAfterSeconds: number };

/** Signs in by password. Takes as long, and says the same, for an unknown user as for a wrong password. */
export async function signIn(
  { store, passwords, nowMs, sessionLifetimeMs: lifetimeMs }: {
    readonly store: Store;
    readonly passwords: Passwords;
    readonly nowMs: number;
    readonly sessionLifetimeMs?: number;
  },
  { email, password, ip, userAgent }: SignInAttempt,
): Promise<SignInResult> {
  const name = email.trim().toLowerCase();
  const waitMs = await takeAttempt(store, { email: name, ip }, nowMs);
  if (waitMs > 0) return wait(waitMs);
  const user = await getUserByEmail(store, name.slice(0, 300)); // longer ones are none, and no key either
  const right = await passwords.verify(password, user?.passwordHash);
  if (user === undefined || !right || !user.enabled) return refused;
  await forgiveAttempts(store, { email: name, ip });
  const started = await startSession(store, user, { nowMs, ip, userAgent, lifetimeMs });
  return { type: "signed-in", user, ...started };
}

const refused = {
  type: "refused",
  message: "The e-mail address or the password is wrong",
} as const satisfies SignInResult;

function wait(waitMs: number): SignInResult {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const unit = retryAfterSeconds === 1 ? "second" : "seconds";
  return {
    type: "wait",
    message: `Too many attempts: try again in ${retryAfterSeconds} ${unit}`,
    retryAfterSeconds,
  };
}
