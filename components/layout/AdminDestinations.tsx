import type { AccountView, Catalog } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../icon_names.ts";

const places = [
  { path: "/console/admin/upstreams", icon: "server", name: "upstreams" },
  { path: "/console/admin/groups", icon: "layers", name: "groups" },
  { path: "/console/admin/projects", icon: "columns-2", name: "projects" },
  { path: "/console/admin/users", icon: "users", name: "users" },
  { path: "/console/admin/codes", icon: "ticket", name: "codes" },
  { path: "/console/admin/webhooks", icon: "megaphone", name: "webhooks" },
  { path: "/console/admin/tokens", icon: "code", name: "tokens" },
  { path: "/console/admin/audit", icon: "file-clock", name: "audit" },
  { path: "/console/admin/settings", icon: "settings", name: "settings" },
] as const satisfies readonly {
  path: string;
  icon: IconName;
  name: keyof Catalog["adminNav"];
}[];

export type AdminPlace = typeof places[number]["name"];

/** The administrators' part of the sidebar; nothing for other users. */
export function AdminDestinations({ view, place }: { view: AccountView; place: string }) {
  if (view.user.role !== "administrator") return null;
  const { adminNav } = view.catalog;
  return (
    <>
      <h2 class="destinations-title">{adminNav.label}</h2>
      <ul class="destinations">
        {places.map(({ path, icon, name }) => (
          <li key={name}>
            <A href={path} current={name === place && "page"}>
              <Icon name={icon} />
              <span>{adminNav[name]}</span>
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
  const { adminNav } = view.catalog;
  return (
    <nav class="admin-items" aria-label={adminNav.label}>
      <hr />
      {places.map(({ path, icon, name }) => (
        <A key={name} class="item" href={path}>
          <Icon name={icon} />
          {adminNav[name]}
        </A>
      ))}
    </nav>
  );
}
