import { type Context, HttpError } from "fresh";
import {
  maySignInLocally,
  type PasskeySite,
  passkeysMax,
  registrationOptions,
} from "../../accounts/mod.ts";
import {
  getPasskey,
  getTotp,
  listPasskeys,
  listSessions,
  type Passkey,
  type Session,
  type Totp,
  type User,
} from "../../store/users/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { seeOther } from "../page/address.ts";
import { keepShownOnce } from "../page/shown_once.ts";
import type { AccountState, SessionScope } from "../session/state.ts";
import { linkedIdentities, type LinkedIdentity } from "../sign_in/linked_identities.ts";
import { type PasskeyRequest, passkeySite } from "../sign_in/passkeys.ts";
import { type ProviderLink, ssoProblem } from "../sign_in/sso.ts";

/** The errors of a change of password, in the reader's language. */
interface PasswordFaults {
  readonly current?: string;
  readonly password?: string;
  /** The error of the form as a whole. */
  readonly problem?: string;
}

/** The data of the account page. */
export interface AccountPageData {
  readonly user: User;
  readonly passkeys: readonly Passkey[];
  /** The host that new passkeys are for; absent if passkeys are impossible here. */
  readonly rpId?: string;
  /** The options for creating a passkey; absent at the maximum number of passkeys. */
  readonly newPasskey?: PasskeyRequest;
  readonly totp?: Totp;
  /** The user's accounts at providers. */
  readonly identities: readonly LinkedIdentity[];
  /** The configured providers. */
  readonly providers: readonly ProviderLink[];
  /** True if the user may sign in by password or passkey. */
  readonly isLocal: boolean;
  /** Last used first. */
  readonly sessions: readonly Session[];
  readonly hereDigest: string;
  readonly faults?: PasswordFaults;
  /** The problem of a sign-in at a provider, in the reader's language. */
  readonly problem?: string;
}

/** Results that report a failure and are shown as errors. */
export const failedResults: readonly (keyof Catalog["security"]["done"])[] = [
  "passkey-refused",
  "passkey-known",
  "passkey-full",
  "identity-only",
];

export async function accountPageData(ctx: Context<AccountState>): Promise<AccountPageData> {
  const { services, services: { store, sso, localSignIn }, account } = ctx.state;
  const { user, session } = account;
  const site = passkeySite(ctx);
  const [passkeys, totp, sessions, identities] = await Promise.all([
    listPasskeys(store, user.id),
    getTotp(store, user.id),
    listSessions(store, user.id),
    linkedIdentities(services, user.id),
  ]);
  const isFull = passkeys.length >= passkeysMax;
  return {
    user,
    passkeys,
    sessions,
    identities,
    providers: sso.providers,
    isLocal: maySignInLocally(user, localSignIn),
    hereDigest: session.digest,
    problem: ssoProblem(ctx.url, ctx.state),
    ...(totp && { totp }),
    ...(site && { rpId: site.rpId }),
    ...(site && !isFull && { newPasskey: await newPasskeyRequest(ctx, site) }),
  };
}

async function newPasskeyRequest(
  { state: { services: { store }, account, settings, nowMs } }: Context<AccountState>,
  site: PasskeySite,
): Promise<PasskeyRequest> {
  const at = { store, site, nowMs };
  return {
    type: "create",
    options: await registrationOptions(at, account.user, settings.siteName),
  };
}

/** Returns true if the user could not sign in any more without their one linked identity. */
export async function isOnlyWayIn({ state }: Context<AccountState>): Promise<boolean> {
  const { services, account: { user } } = state;
  const identities = await linkedIdentities(services, user.id);
  if (identities.filter(({ provider }) => provider !== undefined).length > 1) return false;
  if (!maySignInLocally(user, services.localSignIn)) return true;
  return user.passwordHash === undefined &&
    (await listPasskeys(services.store, user.id)).length === 0;
}

/** Redirects to the account page with a notice about the change. */
export function accountDone(done: keyof Catalog["security"]["done"]): Response {
  return seeOther(`/console/account?done=${done}`);
}

/**
 * Returns the reader's own passkey from the address. Throws `HttpError` 404 for anybody else's too,
 * so that ids reveal nothing.
 */
export async function ownPasskey(
  id: string,
  { services: { store }, account: { user } }: AccountState,
): Promise<Passkey> {
  const passkey = /^[0-9a-f]{64}$/.test(id) ? await getPasskey(store, id) : undefined;
  if (passkey?.userId !== user.id) throw new HttpError(404);
  return passkey;
}

/** Redirects to the page that shows new recovery codes once. */
export async function showCodes(
  codes: readonly string[],
  scope: SessionScope,
): Promise<Response> {
  const once = await keepShownOnce(codes.join("\n"), scope);
  return seeOther(`/console/account/totp/shown?once=${once}`);
}
