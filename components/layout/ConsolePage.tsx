import type { ComponentChildren } from "preact";
import SearchBox from "../../islands/SearchBox.tsx";
import { menuOf, type MenuPlace } from "../../lib/console/page/places.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { type Who, withWho } from "../../lib/console/page/who.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { AccountMenu, Avatar } from "./AccountMenu.tsx";
import { Brand, Mark } from "./Brand.tsx";
import { Crumb } from "./Crumb.tsx";
import { Destinations } from "./Destinations.tsx";
import { ShortcutList } from "./ShortcutList.tsx";
import { SiteNotice } from "./SiteNotice.tsx";
import { StoreNotice } from "./StoreNotice.tsx";
import { Title } from "./Title.tsx";
import { ViewingNotice } from "./ViewingNotice.tsx";
import { WhoSwitch } from "./WhoSwitch.tsx";

type Place = MenuPlace["name"] | "account" | "search";

/** The places of the tabs of small screens. */
const tabs = ["overview", "keys", "log", "models"] as const satisfies readonly (
  Exclude<keyof Catalog["menu"]["tabs"], "more">
)[];

interface ConsolePageProps {
  readonly view: AccountView;
  readonly title: string;
  readonly place: Place;
  /** The page that this one belongs to, if that is not the place of the menu. */
  readonly up?: { readonly href: string; readonly text?: string };
  /** The choice between own and everyone's data; absent for pages without it. */
  readonly who?: Who;
  /** A choice for the whole page, beside its title. */
  readonly beside?: ComponentChildren;
  /** The primary action of the page. */
  readonly action?: ComponentChildren;
  /** The text of the search field. */
  readonly query?: string;
  /** Adds a column for side content on the right. */
  readonly split?: boolean;
  readonly children: ComponentChildren;
}

/** The frame of every page under `/console`. */
export function ConsolePage(props: ConsolePageProps) {
  const { view, title, place, up, who, beside, action, query, split = false, children } = props;
  const { catalog: { menu, search, skip }, settings, singleKeys } = view;
  return (
    <>
      <Title site={settings.siteName}>{title}</Title>
      <a class="skip" href="#main">{skip}</a>
      <div class="app">
        <nav class="sidebar" aria-label={menu.label}>
          <Brand href="/console" site={settings.siteName} />
          <Destinations view={view} place={place} />
          <AccountButton view={view} />
        </nav>
        <div class="column">
          <header class="topbar">
            <A class="brand only-small" href="/console" aria-label={settings.siteName}>
              <Mark />
            </A>
            <Crumb view={view} place={place} title={title} up={up} />
            <h1>{title}</h1>
            {who && <WhoSwitch view={view} who={who} />}
            {beside}
            <span class="spacer" />
            <SearchBox
              text={query}
              slash={singleKeys}
              texts={{
                label: search.label,
                placeholder: search.placeholder,
                none: search.none,
                kinds: search.kinds,
              }}
            />
            {action}
          </header>
          <ViewingNotice view={view} />
          <StoreNotice view={view} />
          <SiteNotice view={view} />
          <main id="main" class={split ? "page split" : "page"} tabIndex={-1}>{children}</main>
        </div>
      </div>
      <Tabs view={view} place={place} />
      <AccountMenu view={view} />
      <ShortcutList view={view} />
    </>
  );
}

function AccountButton({ view: { catalog: { account }, user } }: { view: AccountView }) {
  return (
    <button class="me" type="button" popovertarget="account-menu">
      <Avatar email={user.email} />
      <span class="who">
        <b>{user.email}</b>
        <span>{account[user.role]}</span>
      </span>
      <Icon name="chevrons-up-down" />
    </button>
  );
}

function Tabs(
  { view, place }: { view: AccountView; place: Place },
) {
  const { catalog: { account, menu }, formats, path: here, user } = view;
  const shown = menuOf(user.role).use.flatMap(({ name, ...one }) => {
    const tab = tabs.find((tab) => tab === name);
    return tab ? [{ ...one, name: tab }] : [];
  });
  return (
    <nav class="tabbar" aria-label={menu.smallLabel}>
      {shown.map(({ path, icon, name }) => (
        <A key={name} href={withWho(path, here)} current={name === place && "page"}>
          <Icon name={icon} />
          <span>{menu.tabs[name]}</span>
        </A>
      ))}
      <button
        type="button"
        class={tabs.some((tab) => tab === place) ? undefined : "current"}
        popovertarget="account-menu"
        aria-label={formats.pair(menu.tabs.more, account.open(user.email))}
      >
        <Icon name="ellipsis" />
        <span>{menu.tabs.more}</span>
      </button>
    </nav>
  );
}
