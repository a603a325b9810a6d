import { may } from "../../accounts/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import { forgetSealedCookie, readSealedCookie, writeSealedCookie } from "./cookies.ts";
import type { SessionScope, SignedInAccount } from "./state.ts";

const lifetimeMs = 30 * 60 * 1_000;
const sealedCookie = {
  name: "tessera_view",
  path: "/",
  maxAgeSeconds: lifetimeMs / 1_000,
  purpose: "view as",
} as const;

/** The sealed content of the cookie. */
interface Impersonation {
  readonly userId: string;
  readonly untilMs: number;
}

/**
 * Starts to show another user's console, read-only, for half an hour. The cookie is valid for this
 * session only.
 */
export async function startImpersonation(
  headers: Headers,
  userId: string,
  scope: SessionScope & { readonly nowMs: number },
): Promise<void> {
  const content: Impersonation = { userId, untilMs: scope.nowMs + lifetimeMs };
  await writeSealedCookie(headers, sealedCookie, { content, scope });
}

export function endImpersonation(headers: Headers): void {
  forgetSealedCookie(headers, sealedCookie);
}

/**
 * The account whose console is shown: the impersonated user's, with the administrator as `viewer`,
 * or the signed-in user's own. Administrators that lost their role see their own console again.
 */
export async function effectiveAccount(
  headers: Headers,
  scope: SessionScope & { readonly account: SignedInAccount; readonly nowMs: number },
): Promise<SignedInAccount> {
  const { services: { store }, account, nowMs } = scope;
  if (!may(account.user, "users:write")) return account;
  const impersonation = await readSealedCookie(headers, sealedCookie, scope) as
    | Impersonation
    | undefined; // written by `startImpersonation`
  if (impersonation === undefined || impersonation.untilMs <= nowMs) return account;
  const user = await getUser(store, impersonation.userId);
  return user === undefined ? account : { ...account, user, viewer: account.user };
}

/** Allowed while impersonating: ending it, signing out and changing the theme or the language. */
const allowed = ["/console/viewing", "/logout", "/preferences"];

/** The `HttpError` message of a change that was refused during an impersonation. */
export const readOnlySession = "read-only session";

/** True if the request would change something in the name of the impersonated user. */
export function isRefusedReadOnly(
  request: Request,
  url: URL,
  account: SignedInAccount | undefined,
): boolean {
  const reads = request.method === "GET" || request.method === "HEAD";
  return account?.viewer !== undefined && !reads && !allowed.includes(url.pathname);
}
