import { administeredBy, may } from "../../accounts/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { menuOf } from "../page/places.ts";
import type { Found, SearchRequest } from "./hits.ts";
import { rank } from "./rank.ts";

type ActionName = keyof Catalog["search"]["actions"];

/** Forms that create something. */
const actions: readonly { readonly name: ActionName; readonly path: string }[] = [
  { name: "createKey", path: "/console/token/new" },
  { name: "checkConnection", path: "/console/connect" },
];

const adminActions: typeof actions = [
  { name: "inviteUser", path: "/console/admin/users/invite" },
  { name: "addUpstream", path: "/console/admin/upstreams/new" },
  { name: "createGroup", path: "/console/admin/groups/new" },
  { name: "createProject", path: "/console/admin/projects/new" },
  { name: "createCodes", path: "/console/admin/codes/new" },
  { name: "createToken", path: "/console/admin/tokens/new" },
  { name: "addWebhook", path: "/console/admin/webhooks/new" },
];

/** Finds pages; without a text, all that the reader has. */
export function findPages(search: SearchRequest): Found {
  const { state: { account, catalog: { menu, search: { otherWords, pages } } } } = search;
  const { use, admin } = menuOf(account.user.role);
  const words: Readonly<Record<string, string>> = otherWords;
  return choose(search, [
    ...[...use, ...admin].map(({ name, path }) => ({
      name: menu.places[name],
      more: [words[name] ?? ""],
      href: path,
    })),
    { name: pages.account, more: [otherWords.account], href: "/console/account" },
    ...ownProjects(search) ? [{ name: pages.ownProjects, href: "/console/projects" }] : [],
    { name: pages.docs, more: [otherWords.docs], href: "/docs" },
  ]);
}

/** Finds actions; without a text, all that the reader has. */
export function findActions(search: SearchRequest): Found {
  const { state: { catalog: { search: texts } } } = search;
  const known = isAdministrator(search) ? [...actions, ...adminActions] : actions;
  return choose(search, known.map(({ name, path }) => ({ name: texts.actions[name], href: path })));
}

interface Choosable {
  readonly name: string;
  readonly more?: readonly string[];
  readonly href: string;
}

function choose({ text, most }: SearchRequest, all: readonly Choosable[]): Found {
  const { rows, best } = text === ""
    ? { rows: all, best: 0 }
    : rank(all, text, { most, searched: (one) => one });
  return { hits: rows.map(({ name, href }) => ({ name, href })), best };
}

function isAdministrator({ state: { account } }: SearchRequest): boolean {
  return may(account.user, "see-all-accounts");
}

function ownProjects({ state: { account, services: { directory } } }: SearchRequest): boolean {
  return administeredBy(account.user, directory.projects()).length > 0;
}
