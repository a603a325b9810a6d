import { administeredBy, may } from "../../accounts/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { menuOf } from "../page/places.ts";
import type { AccountState } from "../session/state.ts";

/** Something with an address of its own that does not depend on the records. */
export interface Entry {
  readonly name: string;
  /** Other words by which people look for it. */
  readonly more: readonly string[];
  readonly href: string;
}

/** The pages that the reader has. */
export function pageEntries(
  { account, services: { directory }, catalog: { menu, search: { otherWords, pages } } }:
    AccountState,
): readonly Entry[] {
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

type Permission = Parameters<typeof may>[1];
type ActionName = keyof Catalog["search"]["actions"];

/** The page where each action begins, and the permission that it needs. */
const actions: Readonly<Record<ActionName, readonly [path: string, needs?: Permission]>> = {
  createKey: ["/console/token/new"],
  checkConnection: ["/console/connect"],
  keyBudget: ["/console/token"],
  rotateKey: ["/console/token"],
  changePassword: ["/console/account/password"],
  secondStep: ["/console/account/totp"],
  failedCalls: ["/console/log?status=failed"],
  inviteUser: ["/console/admin/users/invite", "manage-users"],
  userBudget: ["/console/admin/users", "manage-users"],
  giveCredit: ["/console/admin/users", "manage-users"],
  addUpstream: ["/console/admin/upstreams/new", "manage-upstreams"],
  addCloud: ["/console/admin/upstreams/new/cloud", "manage-upstreams"],
  createGroup: ["/console/admin/groups/new", "manage-groups"],
  createProject: ["/console/admin/projects/new", "manage-users"],
  projectBudget: ["/console/admin/projects", "manage-users"],
  organizationBudget: ["/console/admin/projects/organization", "manage-users"],
  tagBudget: ["/console/admin/projects/tags", "manage-users"],
  priceModel: ["/console/pricing", "manage-models"],
  priceProposals: ["/console/pricing/proposals", "manage-models"],
  virtualModel: ["/console/pricing/virtual", "manage-models"],
  createCodes: ["/console/admin/codes/new", "manage-funds"],
  createToken: ["/console/admin/tokens/new", "manage-settings"],
  addWebhook: ["/console/admin/webhooks/new", "manage-settings"],
};

/** The actions that the reader may take. */
export function actionEntries(
  { account: { user }, catalog: { search: { actions: texts, actionWords } } }: AccountState,
): readonly Entry[] {
  const words: Readonly<Record<string, string>> = actionWords;
  const names = Object.keys(actions) as ActionName[]; // the table's own
  return names.flatMap((name) => {
    const [href, needs] = actions[name];
    if (needs !== undefined && !may(user, needs)) return [];
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
): readonly Entry[] {
  if (!may(user, "manage-settings")) return [];
  return Object.entries(settingsOf).flatMap(([part, names]) =>
    names.map((name) => ({
      name: texts[name],
      more: [texts.groups[part as keyof typeof settingsOf]], // its own key
      href: `/console/admin/settings#${part}`,
    }))
  );
}
