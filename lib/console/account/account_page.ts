import type { Context } from "fresh";
import { type PasskeySite, passkeysMax, registrationOptions } from "../../accounts/mod.ts";
import {
  getTotp,
  listPasskeys,
  listSessions,
  type Passkey,
  type Session,
  type Totp,
  type User,
} from "../../store/users/mod.ts";
import { seeOther } from "../page/see_other.ts";
import type { Catalog } from "../page/view.ts";
import type { AccountState } from "../session/state.ts";
import type { PasskeyRequest } from "../sign_in/passkey_request.ts";
import { passkeySite } from "../sign_in/passkey_site.ts";

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
  /** Last used first. */
  readonly sessions: readonly Session[];
  readonly hereDigest: string;
  readonly faults?: PasswordFaults;
}

/** Results that report a failure and are shown as errors. */
export const failures: readonly (keyof Catalog["security"]["done"])[] = [
  "passkey-refused",
  "passkey-known",
  "passkey-full",
];

export async function accountPageData(ctx: Context<AccountState>): Promise<AccountPageData> {
  const { services: { store }, account: { user, session } } = ctx.state;
  const site = passkeySite(ctx);
  const [passkeys, totp, sessions] = await Promise.all([
    listPasskeys(store, user.id),
    getTotp(store, user.id),
    listSessions(store, user.id),
  ]);
  const isFull = passkeys.length >= passkeysMax;
  return {
    user,
    passkeys,
    sessions,
    hereDigest: session.digest,
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

/** Redirects to the account page with a notice about the change. */
export function accountDone(done: keyof Catalog["security"]["done"]): Response {
  return seeOther(`/console/account?done=${done}`);
}
