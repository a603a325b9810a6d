/**
 * The data of a page that components need: the reader's language, theme and formats, and the
 * account.
 */
import { administeredBy, type Permission, permits } from "../../accounts/mod.ts";
import type { Settings } from "../../store/catalog/mod.ts";
import type { StoreFault } from "../../store/mod.ts";
import type { User } from "../../store/users/mod.ts";
import type { Catalog, Locale } from "../i18n/mod.ts";
import { opens } from "../session/access.ts";
import { type AccountState, defineForAccount } from "../session/state.ts";
import { type Formats, formatsFor } from "./format.ts";
import type { Theme } from "./preferences.ts";

export interface View {
  readonly catalog: Catalog;
  readonly locale: Locale;
  readonly theme: Theme;
  readonly settings: Pick<Settings, "siteName" | "contact">;
}

export interface AccountView extends View, Pick<AccountState, "unpricedWarning" | "hasOthers"> {
  readonly user: Pick<User, "id" | "email" | "role" | "projectId">;
  /** Returns true if the reader's role has a permission. */
  readonly may: (permission: Permission) => boolean;
  /** Returns true if the reader may follow a link, or post a form to it. */
  readonly opens: (href: string, method?: "GET" | "POST") => boolean;
  /** True if the user administers a project. */
  readonly administersProject: boolean;
  /** Set while an administrator impersonates `user`. */
  readonly viewer?: Pick<User, "email">;
  readonly formats: Formats;
  readonly nowMs: number;
  /** True if keyboard shortcuts are on. */
  readonly singleKeys: boolean;
  /** For administrators only: the reason why the store cannot record calls. */
  readonly storeFault?: StoreFault;
  /** The site notice; empty if there is none. */
  readonly notice: string;
  /** The page's own address, to return to. */
  readonly path: string;
}

export function accountView(state: AccountState, url: URL): AccountView {
  const { catalog, locale, theme, settings, account, services } = state;
  return {
    catalog,
    locale,
    theme,
    settings,
    user: account.user,
    may: (permission) => permits(account.user.role, permission),
    opens: (href, method) => opens(account.user.role, href, method),
    administersProject: administeredBy(account.user, services.directory.projects()).length > 0,
    viewer: account.viewer,
    formats: formatsFor(state),
    nowMs: state.nowMs,
    singleKeys: state.singleKeys,
    notice: state.notice,
    ...storeFaultFor(state),
    path: url.pathname + url.search,
    unpricedWarning: state.unpricedWarning,
    hasOthers: state.hasOthers,
  };
}

type Handlers = Parameters<typeof defineForAccount.handlers>[0];
type Render<Handler extends Handlers> = Parameters<typeof defineForAccount.page<Handler>>[0];

/** Defines a page under `/console`, which gets its view beside its data. */
export function accountPage<Handler extends Handlers>(
  render: (
    props: Parameters<Render<Handler>>[0] & { readonly view: AccountView },
  ) => ReturnType<Render<Handler>>,
): Render<Handler> {
  return (props) => render({ ...props, view: accountView(props.state, props.url) });
}

function storeFaultFor(
  { services: { store: { health } }, account: { user, viewer = user } }: AccountState,
): Pick<AccountView, "storeFault"> {
  const { fault } = health;
  return fault !== undefined && permits(viewer.role, "settings:write") ? { storeFault: fault } : {};
}
