import { menuOf, shownPlaces } from "../../lib/console/page/places.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { withWho } from "../../lib/console/page/who.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";

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
      {shownPlaces(places, { view, place }).map(({ path, icon, name, ...one }) => (
        <li key={name}>
          <A
            class={"under" in one ? "part" : undefined}
            href={withWho(path, here)}
            current={name === place && "page"}
            data-letter={"letter" in one ? one.letter : undefined}
          >
            <Icon name={icon} />
            <span>{menu.places[name]}</span>
          </A>
        </li>
      ))}
    </ul>
  );
}

/** The administrators' links in the account menu, for screens without a sidebar. */
export function AdminMenuItems({ view }: { view: AccountView }) {
  const { admin } = menuOf(view.user.role);
  if (admin.length === 0) return null;
  const { menu } = view.catalog;
  return (
    <nav class="admin-items" aria-label={menu.admin}>
      <hr />
      {admin.filter(({ name }) => !view.unused.includes(name)).map(({ path, icon, name }) => (
        <A key={name} class="item" href={path}>
          <Icon name={icon} />
          {menu.places[name]}
        </A>
      ))}
    </nav>
  );
}
