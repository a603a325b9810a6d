import { isPart, menuOf, shownPlaces } from "../../lib/console/page/places.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { withWho } from "../../lib/console/page/who.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { SearchField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";
import { LanguageForm, ThemeForm } from "./BarePage.tsx";

interface DestinationsProps {
  readonly view: AccountView;
  readonly place: string;
}

/** The links of the sidebar: for use, and for administrators the other part too. */
export function Destinations(props: DestinationsProps) {
  const { catalog: { menu }, user } = props.view;
  const { use, admin } = menuOf(user.role);
  return (
    <>
      {admin.length > 0 && <h2 class="destinations-title">{menu.use}</h2>}
      <Links {...props} places={use} />
      {admin.length > 0 && <h2 class="destinations-title">{menu.admin}</h2>}
      {admin.length > 0 && <Links {...props} places={admin} />}
    </>
  );
}

function Links(
  { view, place, places }: DestinationsProps & { places: ReturnType<typeof menuOf>["use"] },
) {
  const { catalog: { menu }, path: here } = view;
  return (
    <ul class="destinations">
      {shownPlaces(places, place).map((one) => (
        <li key={one.name}>
          <A
            class={isPart(one, places) ? "part" : undefined}
            href={withWho(one.path, here)}
            current={one.name === place && "page"}
            data-letter={"letter" in one ? one.letter : undefined}
          >
            <Icon name={one.icon} />
            <span>{menu.places[one.name]}</span>
          </A>
        </li>
      ))}
    </ul>
  );
}

/** The administrators' links in the account menu, for screens without a sidebar. */
function AdminMenuItems({ view }: { view: AccountView }) {
  const { admin } = menuOf(view.user.role);
  if (admin.length === 0) return null;
  const { menu } = view.catalog;
  return (
    <nav class="admin-items" aria-label={menu.admin}>
      <hr />
      {admin.map(({ path, icon, name }) => (
        <A key={name} class="item" href={path}>
          <Icon name={icon} />
          {menu.places[name]}
        </A>
      ))}
    </nav>
  );
}

/** The places of use that have no tab on small screens. */
const beyondTabs: ReadonlySet<string> = new Set(["playground", "connect", "balance"]);

/**
 * The menu of the account: user, display preferences, sign-out. A popover, which opens without a
 * script. On small screens it is the sheet of the tab More, with search and all other pages.
 */
export function AccountMenu({ view }: { view: AccountView }) {
  const { catalog: { account, docs, menu, projects, search, security, theme }, user, path } = view;
  return (
    <section
      class="menu"
      id="account-menu"
      popover="auto"
      aria-label={account.open(user.email)}
    >
      <div class="section">
        <p class="email" {...untranslated}>{user.email}</p>
        <p class="hint">{account[user.role]}</p>
      </div>
      <form class="only-small search-form" action="/console/search">
        <SearchField label={search.label} value={undefined} />
        <button class="button" type="submit">{search.submit}</button>
      </form>
      {menuOf(user.role).use.filter(({ name }) => beyondTabs.has(name))
        .map(({ name, path, icon }) => (
          <A key={name} class="item only-small" href={path}>
            <Icon name={icon} />
            {menu.places[name]}
          </A>
        ))}
      <A class="item" href="/console/account">
        <Icon name="user-round" />
        {security.menu}
      </A>
      {view.administersProject && (
        <A class="item" href="/console/projects">
          <Icon name="columns-2" />
          {projects.own}
        </A>
      )}
      <A class="item" href="/docs">
        <Icon name="book-open" />
        {docs.title}
      </A>
      <AdminMenuItems view={view} />
      <hr />
      <div class="section">
        <span>{theme.label}</span>
        <ThemeForm view={view} back={path} />
      </div>
      <div class="section">
        <span>{account.language}</span>
        <LanguageForm view={view} back={path} />
      </div>
      <hr />
      <form method="post" action="/logout">
        <button class="item" type="submit">
          <Icon name="log-out" />
          {account.signOut}
        </button>
      </form>
    </section>
  );
}

/** The first two letters of the e-mail address. */
export function Avatar({ email }: { email: string }) {
  return <span class="avatar" aria-hidden="true">{email.slice(0, 2).toUpperCase()}</span>;
}
