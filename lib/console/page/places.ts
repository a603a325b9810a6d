import type { Role } from "../../store/users/mod.ts";
import { opens } from "../session/access.ts";

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
const usePlaces = [
  { name: "overview", path: "/console", icon: "layout-dashboard", letter: "o" },
  { name: "keys", path: "/console/token", icon: "key-round", letter: "k" },
  { name: "log", path: "/console/log", icon: "scroll-text", letter: "l" },
  { name: "models", path: "/console/pricing", icon: "tags", letter: "m" },
  { name: "playground", path: "/console/playground", icon: "message-square", letter: "p" },
  { name: "connect", path: "/console/connect", icon: "link" },
] as const satisfies readonly Place[];

/** In the part of administrators for them, in the common part for others. */
const balance = { name: "balance", path: "/console/topup", icon: "wallet" } as const;

/** The pages of the menu that only administrators have, in order. */
const adminPlaces = [
  { name: "upstreams", path: "/console/admin/upstreams", icon: "server", letter: "u" },
  { name: "groups", path: "/console/admin/groups", icon: "layers" },
  { name: "users", path: "/console/admin/users", icon: "users" },
  { name: "projects", path: "/console/admin/projects", icon: "columns-2" },
  balance,
  { name: "codes", path: "/console/admin/codes", icon: "ticket", under: "balance" },
  { name: "audit", path: "/console/admin/audit", icon: "file-clock" },
  { name: "settings", path: "/console/admin/settings", icon: "settings", letter: "s" },
  { name: "tokens", path: "/console/admin/tokens", icon: "code", under: "settings" },
  { name: "webhooks", path: "/console/admin/webhooks", icon: "megaphone", under: "settings" },
] as const satisfies readonly Place[];

/** A page of the menu. */
export type MenuPlace = (typeof usePlaces | typeof adminPlaces)[number];

interface Menu {
  readonly use: readonly MenuPlace[];
  /** Empty for members. */
  readonly admin: readonly MenuPlace[];
}

/** The pages of a reader's menu, in its two parts: those that the role may open. */
export function menuOf(role: Role): Menu {
  const opened = (places: readonly MenuPlace[]) => places.filter(({ path }) => opens(role, path));
  return role === "member"
    ? { use: opened([...usePlaces, balance]), admin: [] }
    : { use: opened(usePlaces), admin: opened(adminPlaces) };
}

/** The places that a menu shows: all, but parts only where the reader is in their area. */
export function shownPlaces(places: readonly MenuPlace[], place: string): readonly MenuPlace[] {
  const current = places.find(({ name }) => name === place);
  const area = (current && wholeOf(current)) ?? place;
  return places.filter((one) => one.name === area || !isPart(one, places) || wholeOf(one) === area);
}

/** Returns true for a part of a place that the reader may open, too. */
export function isPart(place: MenuPlace, places: readonly MenuPlace[]): boolean {
  return places.some(({ name }) => name === wholeOf(place));
}

/** The place that this one is a part of. */
function wholeOf(place: MenuPlace): string | undefined {
  return "under" in place ? place.under : undefined;
}
