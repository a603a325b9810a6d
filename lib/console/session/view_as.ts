import { deleteCookie, setCookie } from "@std/http";
import { may } from "../../accounts/mod.ts";
import { getUser, type Store } from "../../store/mod.ts";
import { cookiesOf } from "../page/preferences.ts";
import type { Account } from "./state.ts";

const cookieName = "tessera_view";
const path = "/";
const lifetimeMs = 30 * 60 * 1_000;

/** What the cookie holds, sealed. */
interface Viewed {
  readonly userId: string;
  readonly untilMs: number;
}

interface ViewContext {
  readonly store: Store;
  readonly nowMs: number;
}

/** Begins to look at the console as another user sees it, for half an hour. The cookie counts for this session alone. */
export async function beginViewing(
  headers: Headers,
  userId: string,
  { store, nowMs, sessionDigest }: ViewContext & { readonly sessionDigest: string },
): Promise<void> {
  const viewed: Viewed = { userId, untilMs: nowMs + lifetimeMs };
  const sealed = await store.secretBox.seal(JSON.stringify(viewed), contextOf(sessionDigest));
  setCookie(headers, {
    name: cookieName,
    value: encodeURIComponent(sealed),
    path,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: lifetimeMs / 1_000,
  });
}

export function endViewing(headers: Headers): void {
  deleteCookie(headers, cookieName, { path, httpOnly: true });
}

/**
 * Whose console is shown: that of who is signed in, or of the user whom an administrator looks at;
 * then `viewer` is the administrator. One who may no longer see all accounts sees the own.
 */
export async function accountShown(
  headers: Headers,
  account: Account,
  context: ViewContext,
): Promise<Account> {
  const cookie = cookiesOf(headers)[cookieName];
  if (!cookie || !may(account.user, "see-all-accounts")) return account;
  const viewed = await opened(cookie, account.session.digest, context.store);
  if (viewed === undefined || viewed.untilMs <= context.nowMs) return account;
  const user = await getUser(context.store, viewed.userId);
  return user === undefined ? account : { ...account, user, viewer: account.user };
}

/** What may be posted while looking: the end of it, the way out, and how pages look. */
const allowed = ["/console/viewing", "/logout", "/preferences"];

/** Whether a request would do something as the user who is only looked at. */
export function isOnlyLooking(request: Request, url: URL, account: Account | undefined): boolean {
  const reads = request.method === "GET" || request.method === "HEAD";
  return account?.viewer !== undefined && !reads && !allowed.includes(url.pathname);
}

async function opened(
  cookie: string,
  sessionDigest: string,
  store: Store,
): Promise<Viewed | undefined> {
  try {
    const text = await store.secretBox.open(decodeURIComponent(cookie), contextOf(sessionDigest));
    return JSON.parse(text) as Viewed; // what opens was sealed by beginViewing
  } catch {
    return undefined;
  }
}

function contextOf(sessionDigest: string): string {
  return `view as ${sessionDigest}`;
}
