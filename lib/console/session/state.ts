import { createDefine } from "fresh";
import type { Settings } from "../../store/catalog/mod.ts";
import type { Session, User } from "../../store/users/mod.ts";
import type { Catalog, Locale } from "../i18n/mod.ts";
import type { Theme } from "../page/preferences.ts";
import type { ConsoleServices } from "./services.ts";

/** What every page knows of its request. */
export interface ConsoleState {
  readonly services: ConsoleServices;
  readonly nowMs: number;
  readonly locale: Locale;
  readonly catalog: Catalog;
  readonly theme: Theme;
  /** An IANA name. */
  readonly timeZone: string;
  /** Whether single keys do something. */
  readonly singleKeys: boolean;
  /** What administrators set about the site as a whole. */
  readonly settings: Settings;
  /** The operator's notice for everybody; empty if there is none, or if the user hid it. */
  readonly notice: string;
  /** Who is signed in. */
  readonly account?: Account;
}

export interface Account {
  readonly user: User;
  readonly session: Session;
  /** The administrator who looks at the console of `user`, to read only. */
  readonly viewer?: User;
}

/** What the pages under `/console` know: their guard lets nobody else in. */
export interface AccountState extends ConsoleState {
  readonly account: Account;
}

/** For pages that anybody may open. */
export const define = createDefine<ConsoleState>();

/** For pages under `/console`. */
export const defineForAccount = createDefine<AccountState>();
