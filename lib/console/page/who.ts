import { may } from "../../accounts/mod.ts";
import type { AccountState } from "../session/state.ts";
import { withQuery } from "./address.ts";

export const whos = ["mine", "everyone"] as const;
/** The calls and keys that a page shows: the reader's own or everyone's. */
export type Who = typeof whos[number];

/**
 * Reads `?who=`. Members see their own data whatever the address says. Other roles see
 * everyone's unless they choose otherwise, as soon as there is a second account.
 */
export function readWho(
  fields: URLSearchParams,
  { account: { user }, hasOthers }: Pick<AccountState, "account" | "hasOthers">,
): Who {
  if (!may(user, "calls:read")) return "mine";
  return whos.find((who) => who === fields.get("who")) ?? (hasOthers ? "everyone" : "mine");
}

/** Fields that continue a list, which a different choice has no use for. */
const fromFirstRow = {
  before: undefined,
  page: undefined,
  searched: undefined,
  found: undefined,
} as const;

/** The address of a page with another choice, from its first row. */
export function whoHref(path: string, who: Who): string {
  return withQuery(path, { ...fromFirstRow, who });
}

/** The pages that have the choice. */
const pages: readonly string[] = ["/console", "/console/log", "/console/token"];

/** Carries the choice in the address of a page over to a link to another page that has it. */
export function withWho(href: string, path: string): string {
  const chosen = new URL(path, "http://localhost").searchParams.get("who");
  const who = whos.find((one) => one === chosen);
  return who && pages.includes(href) ? `${href}?who=${who}` : href;
}
