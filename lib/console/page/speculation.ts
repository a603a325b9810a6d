import { hasFlash } from "./flash.ts";

/** The address of the rules, which every page of the console names in a header. */
export const speculationPath = "/console/speculation-rules";

/**
 * The last segments of addresses that show or send something once, or without end: browsers must not
 * load them ahead of a click. The pages under `/console/account/` are left out as well.
 */
const unsafe = [
  "content",
  "enabled",
  "events",
  "export",
  "invited",
  "live",
  "made",
  "rotated",
  "shown",
];
const account = "/console/account/";

/** Browsers load the page behind a link of the console while the pointer rests on it. */
export const speculationRules = {
  prefetch: [{
    source: "document",
    where: {
      and: [
        { href_matches: ["/console?*", "/console/*?*"] },
        { not: { href_matches: [`${account}*?*`, ...unsafe.map((one) => `/console/*/${one}?*`)] } },
        { not: { href_matches: "/console/export?*" } },
        { not: { selector_matches: "[download], [target]" } },
      ],
    },
    eagerness: "moderate",
  }],
} as const;

/**
 * Returns true for a request ahead of a click that must not be answered: a message waits for the
 * next page that is shown, or the address is not safe to load twice.
 */
export function refusesSpeculation({ headers }: Request, { pathname }: URL): boolean {
  if (!headers.get("sec-purpose")?.startsWith("prefetch")) return false;
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  return hasFlash(headers) || unsafe.includes(last) || pathname.startsWith(account);
}
