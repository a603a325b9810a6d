interface Place {
  readonly name: string;
  readonly path: string;
  readonly icon: string;
  /** The letter that leads here after G. */
  readonly letter?: string;
  /** The place that this one is a part of. */
  readonly under?: string;
}

/** The pages of the menu that everyone has, in order. */
export const usePlaces = [
  { name: "overview", path: "/console", icon: "layout-dashboard", letter: "o" },
  { name: "keys", path: "/console/token", icon: "key-round", letter: "k" },
  { name: "log", path: "/console/log", icon: "scroll-text", letter: "l" },
  { name: "models", path: "/console/pricing", icon: "tags", letter: "m" },
  { name: "playground", path: "/console/playground", icon: "message-square", letter: "p" },
  { name: "connect", path: "/console/connect", icon: "link" },
  { name: "balance", path: "/console/topup", icon: "wallet" },
] as const satisfies readonly Place[];

/** The pages of the menu that only administrators have, in order. */
export const adminPlaces = [
  { name: "upstreams", path: "/console/admin/upstreams", icon: "server", letter: "u" },
  { name: "groups", path: "/console/admin/groups", icon: "layers" },
  { name: "users", path: "/console/admin/users", icon: "users" },
  { name: "projects", path: "/console/admin/projects", icon: "columns-2" },
  { name: "codes", path: "/console/admin/codes", icon: "ticket" },
  { name: "audit", path: "/console/admin/audit", icon: "file-clock" },
  { name: "settings", path: "/console/admin/settings", icon: "settings", letter: "s" },
  { name: "tokens", path: "/console/admin/tokens", icon: "code", under: "settings" },
  { name: "webhooks", path: "/console/admin/webhooks", icon: "megaphone", under: "settings" },
] as const satisfies readonly Place[];

/** A page of the menu. */
export type MenuPlace = (typeof usePlaces | typeof adminPlaces)[number];

/**
 * The places that a menu shows: those in use, the current one, and the parts of the place that the
 * reader is in.
 */
export function shownPlaces<One extends Place>(
  places: readonly One[],
  { view, place }: {
    readonly view: { readonly unused: readonly string[] };
    readonly place: string;
  },
): readonly One[] {
  const within: readonly MenuPlace[] = adminPlaces;
  const current = within.find(({ name }) => name === place);
  const area = current && "under" in current ? current.under : place;
  return places.filter(({ name, under }) =>
    name === place || (under === undefined ? !view.unused.includes(name) : under === area)
  );
}
