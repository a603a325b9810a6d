import type { ComponentChildren } from "preact";
import LinkedForm from "../../islands/LinkedForm.tsx";
import Notice from "../../islands/Notice.tsx";
import SearchBox from "../../islands/SearchBox.tsx";
import Shortcuts from "../../islands/Shortcuts.tsx";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import { doneIn } from "../../lib/console/page/address.ts";
import { menuOf, type MenuPlace } from "../../lib/console/page/places.ts";
import { noticeId } from "../../lib/console/page/preferences.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { type Who, whoHref, whos, withWho } from "../../lib/console/page/who.ts";
import { A } from "../A.tsx";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Icon } from "../Icon.tsx";
import { Opens } from "../opens.ts";
import { untranslated } from "../untranslated.ts";
import { Brand, Mark, Title } from "./Document.tsx";
import { AccountMenu, Avatar, Destinations } from "./Menu.tsx";
import { StoreNotice, ViewingNotice } from "./notices.tsx";

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
  /** The texts of the actions that `?done=` names: the page begins with the last one's. */
  readonly done?: Readonly<Record<string, string>>;
  /** Adds a column for side content on the right. */
  readonly split?: boolean;
  readonly children: ComponentChildren;
}

/** The frame of every page under `/console`. */
export function ConsolePage(props: ConsolePageProps) {
  const { view, title, place, up, who, beside, action, query, split = false, children } = props;
  const { catalog: { menu, search, skip }, settings, singleKeys, path, user } = view;
  const { done = {} } = props;
  const last = doneIn(new URL(path, "http://localhost"), done);
  return (
    <Opens.Provider value={view.opens}>
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
                kinds: { ...search.kinds, recent: search.recent },
              }}
              reader={user.id}
            />
            {action}
          </header>
          <ViewingNotice view={view} />
          <StoreNotice view={view} />
          <SiteNotice view={view} />
          <main id="main" class={split ? "page split" : "page"} tabIndex={-1}>
            {last && <Notice text={done[last]} />}
            {children}
          </main>
        </div>
      </div>
      <Tabs view={view} place={place} />
      <AccountMenu view={view} />
      <ShortcutList view={view} />
      <LinkedForm />
    </Opens.Provider>
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

/** Switches a page between the administrator's own data and everyone's. Others have no choice. */
function WhoSwitch({ view, who }: { view: AccountView; who: Who }) {
  const { catalog: { who: texts }, hasOthers, path } = view;
  if (!hasOthers) return null;
  return (
    <ChoiceLinks
      label={texts.label}
      choices={whos}
      chosen={who}
      hrefOf={(one) => whoHref(path, one)}
      texts={texts}
    />
  );
}

/**
 * The administrators' notice on every page of the console, as plain text, until the reader hides
 * it.
 */
function SiteNotice({ view: { catalog, notice, path } }: { view: AccountView }) {
  if (notice === "") return null;
  const { noticeLabel, hideNotice } = catalog.settings;
  return (
    <aside class="site-notice" aria-label={noticeLabel}>
      <Icon name="megaphone" />
      <p>{notice}</p>
      <form method="post" action="/preferences">
        <input type="hidden" name="back" value={path} />
        <button
          class="icon-button"
          type="submit"
          name="hiddenNotice"
          value={noticeId(notice)}
          aria-label={hideNotice}
          title={hideNotice}
        >
          <Icon name="x" />
        </button>
      </form>
    </aside>
  );
}

interface CrumbProps {
  readonly view: AccountView;
  readonly place: string;
  readonly title: string;
  /** The page that this one belongs to, if that is not the place; its text is that of the place. */
  readonly up?: { readonly href: string; readonly text?: string };
}

/** The place of the menu that a page belongs to, before its title; nothing on the place itself. */
function Crumb({ view, place, title, up }: CrumbProps) {
  const { catalog: { menu }, path: here, user } = view;
  const { use, admin } = menuOf(user.role);
  const of = [...use, ...admin].find(({ name }) => name === place);
  const text = up?.text ?? (of && menu.places[of.name]);
  const href = up?.href ?? (of && withWho(of.path, here));
  if (href === undefined || text === title || (!up && isAt(here, href))) return null;
  return (
    <A class="crumb" href={href} data-key-escape={up && ""}>
      <span {...untranslated}>{text}</span>
      <Icon name="chevron-right" small />
    </A>
  );
}

function isAt(here: string, path: string): boolean {
  return here.split("?")[0] === path.split("?")[0];
}

const listed = ["j", "k", "enter", "x", ".", "c", "e", "escape", "/", "t", "?"] as const satisfies (
  keyof Catalog["shortcuts"]["keys"]
)[];
const caps: Partial<Record<string, string>> = { enter: "Enter", escape: "Esc" };

/** The keyboard shortcuts, and the switch that turns them off (WCAG 2.1.4). */
function ShortcutList({ view }: { view: AccountView }) {
  const { catalog: { shortcuts }, path, singleKeys } = view;
  return (
    <>
      {singleKeys && <Shortcuts />}
      <div
        class="menu shortcuts"
        id="shortcuts"
        popover="auto"
        role="dialog"
        aria-labelledby="shortcuts-title"
      >
        <h2 id="shortcuts-title">{shortcuts.title}</h2>
        {singleKeys ? <Keys view={view} /> : <p class="soft">{shortcuts.areOff}</p>}
        <form method="post" action="/preferences">
          <input type="hidden" name="back" value={path} />
          <button class="button small" name="keys" value={singleKeys ? "off" : "on"} type="submit">
            {singleKeys ? shortcuts.off : shortcuts.on}
          </button>
        </form>
      </div>
    </>
  );
}

/** With a script, keys that do nothing on the page are hidden by their `data-key`. */
function Keys({ view }: { view: AccountView }) {
  const { catalog: { menu, shortcuts } } = view;
  return (
    <div class="keys">
      <section>
        <h3>{shortcuts.page}</h3>
        <dl>
          {listed.map((key) => (
            <div key={key} data-key={key}>
              <dt>
                <kbd>{caps[key] ?? key}</kbd>
              </dt>
              <dd>{shortcuts.keys[key]}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h3>{shortcuts.pages}</h3>
        <dl>
          {letteredPlaces(view).map(({ name, letter }) => (
            <div key={name}>
              <dt>
                <kbd>g</kbd> <kbd>{letter}</kbd>
              </dt>
              <dd>{menu.places[name]}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

function letteredPlaces({ user }: AccountView) {
  const { use, admin } = menuOf(user.role);
  return [...use, ...admin].flatMap((one) =>
    "letter" in one ? [{ name: one.name, letter: one.letter }] : []
  );
}
