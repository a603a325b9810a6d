import { administeredBy } from "../../accounts/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { menuOf } from "../page/places.ts";
import { opens } from "../session/access.ts";
import type { AccountState } from "../session/state.ts";

/** Something with an address of its own that does not depend on the records. */
export interface FixedEntry {
  readonly name: string;
  /** Other words by which people look for it. */
  readonly more: readonly string[];
  readonly href: string;
}

/** The pages that the reader has. */
export function pageEntries(
  { account, services: { directory }, catalog: { menu, search: { otherWords, pages } } }:
    AccountState,
): readonly FixedEntry[] {
  const { use, admin } = menuOf(account.user.role);
  const words: Readonly<Record<string, string>> = otherWords;
  const hasProject = administeredBy(account.user, directory.projects()).length > 0;
  return [
    ...[...use, ...admin].map(({ name, path }) => ({
      name: menu.places[name],
      more: [words[name] ?? ""],
      href: path,
    })),
    { name: pages.account, more: [otherWords.account], href: "/console/account" },
    ...hasProject ? [{ name: pages.ownProjects, more: [], href: "/console/projects" }] : [],
    { name: pages.docs, more: [otherWords.docs], href: "/docs" },
  ];
}

type ActionName = keyof Catalog["search"]["actions"];

/** Each action: the page where it begins, and the form that it ends with if that is another one. */
const actions: Readonly<Record<ActionName, readonly [path: string, form?: string]>> = {
  createKey: ["/console/token/new"],
  checkConnection: ["/console/connect"],
  keyBudget: ["/console/token", "/console/token/new"],
  rotateKey: ["/console/token", "/console/token/new"],
  changePassword: ["/console/account/password"],
  secondStep: ["/console/account/totp"],
  failedCalls: ["/console/log?status=failed"],
  inviteUser: ["/console/admin/users/invite"],
  userBudget: ["/console/admin/users", "/console/admin/users/:id"],
  giveCredit: ["/console/admin/users", "/console/admin/users/:id/funds"],
  addUpstream: ["/console/admin/upstreams/new"],
  addCloud: ["/console/admin/upstreams/new/cloud"],
  createGroup: ["/console/admin/groups/new"],
  createProject: ["/console/admin/projects/new"],
  projectBudget: ["/console/admin/projects", "/console/admin/projects/:id"],
  organizationBudget: ["/console/admin/projects/organization"],
  tagBudget: ["/console/admin/projects/tags"],
  priceModel: ["/console/pricing", "/console/pricing/model"],
  priceProposals: ["/console/pricing/proposals"],
  virtualModel: ["/console/pricing/virtual"],
  createCodes: ["/console/admin/codes/new"],
  createToken: ["/console/admin/tokens/new"],
  addWebhook: ["/console/admin/webhooks/new"],
};

/** The actions that the reader may take. */
export function actionEntries(
  { account: { user: { role } }, catalog: { search: { actions: texts, actionWords } } }:
    AccountState,
): readonly FixedEntry[] {
  const words: Readonly<Record<string, string>> = actionWords;
  const names = Object.keys(actions) as ActionName[]; // the table's own
  return names.flatMap((name) => {
    const [href, form = href] = actions[name];
    const method = name === "failedCalls" ? "GET" : "POST";
    if (!opens(role, href) || !opens(role, form, method)) return [];
    return [{ name: texts[name], more: [words[name] ?? ""], href }];
  });
}

/** The settings by the part of their page. */
const settingsOf = {
  general: ["siteName", "contactField", "notice", "upstreamOrder", "compactionPrompt"],
  signUp: ["signUp", "signUpDomains", "publicPricing", "mail"],
  defaults: ["theme", "language", "timeZone"],
  alerts: ["alerts"],
  payments: ["payments"],
} as const satisfies Partial<
  Record<keyof Catalog["settings"]["groups"], readonly (keyof Catalog["settings"])[]>
>;

/** The settings of the gateway, for those who may change them. */
export function settingEntries(
  { account: { user }, catalog: { settings: texts } }: AccountState,
): readonly FixedEntry[] {
  if (!opens(user.role, "/console/admin/settings")) return [];
  return Object.entries(settingsOf).flatMap(([part, names]) =>
    names.map((name) => ({
      name: texts[name],
      more: [texts.groups[part as keyof typeof settingsOf]], // its own key
      href: `/console/admin/settings#${part}`,
    }))
  );
}
