import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import {
  createSetupLink,
  firstAccountId,
  getSetupLink,
  getUser,
  redeemSetupLink,
  type User,
} from "../store/users/mod.ts";
import type { AccountDeps } from "./passwords.ts";
import { passwordFault } from "../config/password.ts";
import { newToken } from "./secrets.ts";
import { readEmail } from "./users.ts";

export const setupLinkLifetimeMs = 24 * 60 * 60 * 1_000;

export interface IssuedSetupLink {
  /** Only for the printed address. */
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Issues a new link for the first administrator. */
export async function issueSetupLink(
  store: Store,
  nowMs: number,
  lifetimeMs: number = setupLinkLifetimeMs,
): Promise<IssuedSetupLink> {
  const token = newToken();
  const expiresAtMs = nowMs + lifetimeMs;
  await createSetupLink(store, { digest: digestOf(token), expiresAtMs }, nowMs);
  return { token, expiresAtMs };
}

/** Returns true if the token's set-up page may be shown. */
export async function setupLinkHolds(store: Store, token: string, nowMs: number): Promise<boolean> {
  const link = await getSetupLink(store, digestOf(token));
  return link !== undefined && link.expiresAtMs > nowMs && await isToBeSetUp(store);
}

/** Returns true if there is no administrator yet. */
export async function isToBeSetUp(store: Store): Promise<boolean> {
  return await getUser(store, firstAccountId) === undefined;
}

type SetupResult =
  | { readonly type: "created"; readonly user: User }
  /** The input was rejected; the link remains valid. */
  | { readonly type: "invalid"; readonly field: "email" | "password"; readonly message: string }
  /** The link is used, expired or unknown. */
  | { readonly type: "refused"; readonly message: string };

/** Creates the first administrator; only one of concurrent calls succeeds. */
export async function redeemSetup(
  { store, passwords, nowMs }: AccountDeps,
  entered: {
    readonly token: string;
    readonly email: string;
    readonly password: string;
    readonly audit?: (user: User) => AuditDraft;
  },
): Promise<SetupResult> {
  const email = readEmail(entered.email);
  if (email === undefined) {
    return { type: "invalid", field: "email", message: "Enter an e-mail address" };
  }
  const fault = passwordFault(entered.password);
  if (fault !== undefined) return { type: "invalid", field: "password", message: fault };
  if (!await setupLinkHolds(store, entered.token, nowMs)) return refused;
  const passwordHash = await passwords.hash(entered.password);
  const draft = { email, passwordHash, createdAtMs: nowMs };
  const { token, audit } = entered;
  if (!await redeemSetupLink(store, digestOf(token), draft, { audit })) return refused;
  const user = await getUser(store, firstAccountId);
  return user === undefined ? refused : { type: "created", user };
}

const refused = {
  type: "refused",
  message: "This set-up link is used or has expired; restart the server for a new one",
} as const satisfies SetupResult;
