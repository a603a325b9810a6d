import { createDefine } from "fresh";
import type { AdminToken } from "../../store/admin_tokens/mod.ts";
import type { Settings } from "../../store/catalog/mod.ts";
import type { Session, User } from "../../store/users/mod.ts";
import type { Catalog, Locale } from "../i18n/mod.ts";
import type { Theme } from "../page/preferences.ts";
import type { ConsoleServices } from "./services.ts";

/** The state of a request that every page has. */
export interface ConsoleState {
  readonly services: ConsoleServices;
  readonly nowMs: number;
  readonly locale: Locale;
  readonly catalog: Catalog;
  readonly theme: Theme;
  /** An IANA name. */
  readonly timeZone: string;
  /** True if keyboard shortcuts are on. */
  readonly singleKeys: boolean;
  /** The site's settings. */
  readonly settings: Settings;
  /** The operator's notice for everybody; empty if there is none, or if the user hid it. */
  readonly notice: string;
  /** The signed-in account. */
  readonly account?: SignedInAccount;
}

/** The state that the console's pages and the management API have in common. */
export interface ActingState
  extends Pick<ConsoleState, "services" | "nowMs" | "locale" | "catalog" | "settings"> {
  readonly account: ActingAccount;
}

/** The account that acts, itself or through an API token. */
export interface ActingAccount {
  readonly user: User;
  /** The API token that acts for the user; absent in the console. */
  readonly token?: Pick<AdminToken, "id" | "name">;
}

export interface SignedInAccount extends ActingAccount {
  readonly session: Session;
  /** The administrator who impersonates `user`, read-only. */
  readonly viewer?: User;
}

/** A session, to which sealed values are bound. */
export interface SessionScope {
  readonly services: Pick<ConsoleServices, "store">;
  readonly account: Pick<SignedInAccount, "session">;
}

/** The state of pages under `/console`, whose guard requires an account. */
export interface AccountState extends ConsoleState {
  readonly account: SignedInAccount;
  /** Names the models that a budget or a prepaid balance would refuse. */
  readonly unpricedWarning: () => string | undefined;
  /** For administrators only: true if there is another account. */
  readonly hasOthers: boolean;
}

/** Defines public pages. */
export const define = createDefine<ConsoleState>();

/** Defines pages under `/console`. */
export const defineForAccount = createDefine<AccountState>();
