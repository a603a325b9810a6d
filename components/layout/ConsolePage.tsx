import type { ComponentChildren } from "preact";
import type { AccountView, Catalog } from "../../lib/console/page/view.ts";
import { type Who, withWho } from "../../lib/console/page/who.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../icon_names.ts";
import { AccountMenu, Avatar } from "./AccountMenu.tsx";
import { AdminDestinations, type AdminPlace } from "./AdminDestinations.tsx";
import { Brand, Mark } from "./Brand.tsx";
import { ShortcutList } from "./ShortcutList.tsx";
import { SiteNotice } from "./SiteNotice.tsx";
import { StoreNotice } from "./StoreNotice.tsx";
import { Title } from "./Title.tsx";
import { ViewingNotice } from "./ViewingNotice.tsx";
import { WhoSwitch } from "./WhoSwitch.tsx";

const places = [
  { path: "/console", icon: "layout-dashboard", name: "overview", short: "overviewShort" },
  { path: "/console/token", icon: "key-round", name: "keys", short: "keysShort" },
  { path: "/console/log", icon: "scroll-text", name: "usage", short: "usageShort" },
  { path: "/console/pricing", icon: "tags", name: "models", short: "modelsShort" },
  { path: "/console/topup", icon: "wallet", name: "balance", short: "balanceShort" },
] as const satisfies readonly {
  path: string;
  icon: IconName;
  name: keyof Catalog["nav"];
  short: keyof Catalog["nav"];
}[];

type Place =
  | typeof places[number]["name"]
  | "playground"
  | "connect"
  | "account"
  | AdminPlace;

interface ConsolePageProps {
  readonly view: AccountView;
  readonly title: string;
  readonly place: Place;
  /** The choice between own and everyone's data; absent for pages without it. */
  readonly who?: Who;
  /** A choice for the whole page, beside its title. */
  readonly beside?: ComponentChildren;
  /** The primary action of the page. */
  readonly action?: ComponentChildren;
  /** Adds a column for side content on the right. */
  readonly split?: boolean;
  readonly children: ComponentChildren;
}

/** The frame of every page under `/console`. */
export function ConsolePage(props: ConsolePageProps) {
  const { view, title, place, who, beside, action, split = false, children } = props;
  const { catalog: { nav, skip }, settings } = view;
  return (
    <>
      <Title site={settings.siteName}>{title}</Title>
      <a class="skip" href="#main">{skip}</a>
      <div class="app">
        <nav class="sidebar" aria-label={nav.label}>
          <Brand href="/console" site={settings.siteName} />
          <Destinations view={view} place={place} />
          <AdminDestinations view={view} place={place} />
          <AccountButton view={view} />
        </nav>
        <div class="column">
          <header class="topbar">
            <A class="brand only-small" href="/console" aria-label={settings.siteName}>
              <Mark />
            </A>
            <h1>{title}</h1>
            {who && <WhoSwitch view={view} who={who} />}
            {beside}
            <span class="spacer" />
            <Find view={view} />
            {action}
            <button
              class="avatar-button only-small"
              type="button"
              popovertarget="account-menu"
              aria-label={view.catalog.account.open(view.user.email)}
            >
              <Icon name="user-round" />
            </button>
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

function Destinations(
  { view: { catalog: { nav, connect, docs, playground }, path: here }, place }: {
    view: AccountView;
    place: Place;
  },
) {
  return (
    <ul class="destinations">
      {places.map(({ path, icon, name }) => (
        <li>
          <A href={withWho(path, here)} current={name === place && "page"}>
            <Icon name={icon} />
            <span>{nav[name]}</span>
          </A>
        </li>
      ))}
      <li>
        <A href="/console/playground" current={place === "playground" && "page"}>
          <Icon name="message-square" />
          <span>{playground.title}</span>
        </A>
      </li>
      <li>
        <A href="/console/connect" current={place === "connect" && "page"}>
          <Icon name="arrow-right" />
          <span>{connect.title}</span>
        </A>
      </li>
      <li>
        <A href="/docs">
          <Icon name="book-open" />
          <span>{docs.title}</span>
        </A>
      </li>
    </ul>
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

function Find({ view: { catalog: { find } } }: { view: AccountView }) {
  return (
    <form class="find" action="/console/log" role="search" aria-label={find.label}>
      <Icon name="search" />
      <input
        type="search"
        name="id"
        aria-label={find.label}
        placeholder={find.placeholder}
        autocomplete="off"
        spellcheck={false}
      />
    </form>
  );
}

function Tabs(
  { view: { catalog: { nav }, path: here }, place }: { view: AccountView; place: Place },
) {
  return (
    <nav class="tabbar" aria-label={nav.smallLabel}>
      {places.map(({ path, icon, name, short }) => (
        <A href={withWho(path, here)} current={name === place && "page"}>
          <Icon name={icon} />
          <span>{nav[short]}</span>
        </A>
      ))}
    </nav>
  );
}
