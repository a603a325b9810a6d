import type { SignInProvider } from "../config.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import type { Settings } from "../store/catalog/mod.ts";
import { newId, unlessTaken } from "../store/mod.ts";
import { createUser, defaultSpending, getUserByEmail, type User } from "../store/users/mod.ts";
import type { AccountDeps } from "./passwords.ts";
import { passwordFault } from "../config/password.ts";
import { type SignInWait, waitResult } from "./sign_in.ts";
import { takeSignUp } from "./sign_in_wait.ts";
import { isAssigned } from "./sso/admission.ts";
import { domainOf } from "./sso/claims.ts";
import { readEmail } from "./users.ts";

type SignUpResult =
  | { readonly type: "joined"; readonly user: User }
  /**
   * Refused because the address has an account or its domain may not sign up; the answer does not
   * reveal which.
   */
  | { readonly type: "refused" }
  | { readonly type: "invalid"; readonly field: "email" | "password" }
  /** Sign-up is closed. */
  | { readonly type: "closed" }
  | SignInWait;

/**
 * Creates an account if the settings allow it: a member without a balance. Does not verify the
 * e-mail address. A refusal takes equally long.
 */
export async function signUp(
  { store, passwords, nowMs }: AccountDeps,
  entered: { readonly email: string; readonly password: string; readonly ip?: string },
  { settings, providers = [], audit }: {
    readonly settings: Pick<Settings, "signUp" | "signUpDomains">;
    /** Users of their trusted domains sign in there: here anybody could enter their address. */
    readonly providers?: readonly Pick<SignInProvider, "trustedDomains">[];
    readonly audit?: (user: User) => AuditDraft;
  },
): Promise<SignUpResult> {
  if (settings.signUp !== "open") return { type: "closed" };
  const email = readEmail(entered.email);
  if (email === undefined) return { type: "invalid", field: "email" };
  if (passwordFault(entered.password) !== undefined) return { type: "invalid", field: "password" };
  const waitMs = await takeSignUp(store, entered.ip, nowMs);
  if (waitMs > 0) return waitResult(waitMs);
  const taken = await getUserByEmail(store, email);
  const user = newMember(email, await passwords.hash(entered.password), nowMs);
  if (taken || isAssigned(email, providers) || !isAllowed(email, settings.signUpDomains)) {
    return { type: "refused" };
  }
  const saved = await unlessTaken(createUser(store, user, { audit: audit?.(user) }));
  return saved === "taken" ? { type: "refused" } : { type: "joined", user };
}

/** Matches the domain itself, not its subdomains. */
function isAllowed(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(domainOf(email));
}

function newMember(email: string, passwordHash: string, createdAtMs: number): User {
  const id = newId("usr");
  const spending = defaultSpending(id);
  return { id, email, role: "member", passwordHash, createdAtMs, enabled: true, spending };
}
