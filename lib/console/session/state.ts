import { createDefine } from "fresh";
import type { ActingAccount, AuditContext } from "../../admin/audit.ts";
import type { AdminServices } from "../../admin/services.ts";
import type { Settings } from "../../store/catalog/mod.ts";
import type { Session, User } from "../../store/users/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Preferences } from "../page/preferences.ts";

/** The state of a request that every page has. */
export interface ConsoleState extends Preferences {
  readonly services: AdminServices;
  readonly nowMs: number;
  readonly catalog: Catalog;
  /** The site's settings. */
  readonly settings: Settings;
  /** The operator's notice for everybody; empty if there is none, or if the user hid it. */
  readonly notice: string;
  /** The `Set-Cookie` headers of the answer; of those that a page has itself, Fresh keeps one. */
  readonly cookies: Headers;
  /** The signed-in account. */
  readonly account?: SignedInAccount;
}

export interface SignedInAccount extends ActingAccount {
  readonly session: Session;
  /** The administrator who impersonates `user`, read-only. */
  readonly viewer?: User;
}

/** A session, to which sealed values are bound. */
export interface SessionScope {
  readonly services: Pick<AdminServices, "store">;
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

/** The same of a page, whose reader is signed in. */
export interface PageAuditContext extends AuditContext {
  readonly state: AccountState;
}
