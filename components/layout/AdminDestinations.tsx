import { adminPlaces, shownPlaces } from "../../lib/console/page/places.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";

/** The administrators' part of the sidebar; nothing for other users. */
export function AdminDestinations({ view, place }: { view: AccountView; place: string }) {
  if (view.user.role !== "administrator") return null;
  const { menu } = view.catalog;
  return (
    <>
      <h2 class="destinations-title">{menu.admin}</h2>
      <ul class="destinations">
        {shownPlaces(adminPlaces, { view, place }).map(({ path, icon, name, ...one }) => (
          <li key={name}>
            <A
              class={"under" in one ? "part" : undefined}
              href={path}
              current={name === place && "page"}
              data-letter={"letter" in one && one.letter}
            >
              <Icon name={icon} />
              <span>{menu.places[name]}</span>
            </A>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The same links in the account menu, for screens without a sidebar. */
export function AdminMenuItems({ view }: { view: AccountView }) {
  if (view.user.role !== "administrator") return null;
  const { menu } = view.catalog;
  return (
    <nav class="admin-items" aria-label={menu.admin}>
      <hr />
      {adminPlaces.filter(({ name }) => !view.unused.includes(name)).map(({ path, icon, name }) => (
        <A key={name} class="item" href={path}>
          <Icon name={icon} />
          {menu.places[name]}
        </A>
      ))}
    </nav>
  );
}
