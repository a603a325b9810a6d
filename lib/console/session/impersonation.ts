import { deleteCookie, setCookie } from "@std/http";
import { may } from "../../accounts/mod.ts";
import type { Store } from "../../store/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import { cookiesOf } from "../page/preferences.ts";
import type { SignedInAccount } from "./state.ts";

const cookieName = "tessera_view";
const path = "/";
const lifetimeMs = 30 * 60 * 1_000;

/** The sealed content of the cookie. */
interface Impersonation {
  readonly userId: string;
  readonly untilMs: number;
}

interface ImpersonationContext {
  readonly store: Store;
  readonly nowMs: number;
}

/**
 * Starts to show another user's console, read-only, for half an hour. The cookie is valid for this
 * session only.
 */
export async function startImpersonation(
  headers: Headers,
  userId: string,
  { store, nowMs, sessionDigest }: ImpersonationContext & { readonly sessionDigest: string },
): Promise<void> {
  const impersonation: Impersonation = { userId, untilMs: nowMs + lifetimeMs };
  const sealed = await store.secretBox.seal(
    JSON.stringify(impersonation),
    contextOf(sessionDigest),
  );
  setCookie(headers, {
    name: cookieName,
    value: encodeURIComponent(sealed),
    path,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: lifetimeMs / 1_000,
  });
}

export function endImpersonation(headers: Headers): void {
  deleteCookie(headers, cookieName, { path, httpOnly: true });
}

/**
 * The account whose console is shown: the impersonated user's, with the administrator as `viewer`,
 * or the signed-in user's own. Administrators that lost their role see their own console again.
 */
export async function effectiveAccount(
  headers: Headers,
  account: SignedInAccount,
  context: ImpersonationContext,
): Promise<SignedInAccount> {
  const cookie = cookiesOf(headers)[cookieName];
  if (!cookie || !may(account.user, "see-all-accounts")) return account;
  const impersonation = await opened(cookie, account.session.digest, context.store);
  if (impersonation === undefined || impersonation.untilMs <= context.nowMs) return account;
  const user = await getUser(context.store, impersonation.userId);
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

async function opened(
  cookie: string,
  sessionDigest: string,
  store: Store,
): Promise<Impersonation | undefined> {
  try {
    const text = await store.secretBox.open(decodeURIComponent(cookie), contextOf(sessionDigest));
    return JSON.parse(text) as Impersonation; // sealed by startImpersonation, so the shape is known
  } catch {
    return undefined;
  }
}

function contextOf(sessionDigest: string): string {
  return `view as ${sessionDigest}`;
}
