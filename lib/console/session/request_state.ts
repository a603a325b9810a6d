import { type Context, HttpError } from "fresh";
import { openSession } from "../../accounts/mod.ts";
import { adminServices } from "../../admin/services.ts";
import { catalogs } from "../i18n/mod.ts";
import { noticeFor, readPreferences } from "../page/preferences.ts";
import { keepMailLocale } from "./mail_locale.ts";
import { sessionCookie } from "./cookies.ts";
import { effectiveAccount, isRefusedReadOnly, readOnlySession } from "./impersonation.ts";
import type { ConsoleState, SignedInAccount } from "./state.ts";

/** Determines the reader's account and preferences. */
export async function requestState(ctx: Context<ConsoleState>): Promise<Response> {
  const services = adminServices();
  if (services === undefined) throw new HttpError(503);
  const nowMs = services.now();
  const settings = services.directory.settings();
  const preferences = readPreferences(ctx.req.headers, settings);
  const token = sessionCookie.read(ctx.req.headers, ctx.url);
  const account = token === undefined
    ? undefined
    : await openSession(services.store, token, { nowMs, lifetimeMs: services.sessionLifetimeMs });
  const shown = account &&
    await effectiveAccount(ctx.req.headers, { services, account, nowMs });
  const state: ConsoleState = {
    services,
    nowMs,
    catalog: catalogs[preferences.locale],
    ...preferences,
    settings,
    notice: noticeFor(ctx.req.headers, settings),
    cookies: new Headers(),
    account: shown,
  };
  Object.assign(ctx.state, state);
  if (isRefusedReadOnly(ctx.req, ctx.url, shown)) throw new HttpError(403, readOnlySession);
  if (account && isTimely(account, nowMs)) await keepMailLocale(account, state);
  const response = await ctx.next();
  for (const cookie of state.cookies.getSetCookie()) response.headers.append("set-cookie", cookie);
  if (account && wasMoved(account, nowMs) && !response.headers.has("set-cookie")) {
    // The session was extended, so its cookie must live longer, too.
    const maxAgeMs = account.session.expiresAtMs - nowMs;
    sessionCookie.write(response.headers, ctx.url, token ?? "", maxAgeMs);
  }
  return response;
}

const signInMs = 60_000;

/** True soon after a sign-in, and whenever the use of the session is noted: every few minutes. */
function isTimely(account: SignedInAccount, nowMs: number): boolean {
  return wasMoved(account, nowMs) || nowMs - account.session.createdAtMs < signInMs;
}

function wasMoved(
  { session: { createdAtMs, lastSeenAtMs } }: SignedInAccount,
  nowMs: number,
): boolean {
  return lastSeenAtMs === nowMs && createdAtMs !== nowMs;
}
