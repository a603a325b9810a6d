import { getCookies, setCookie } from "@std/http";
import { knownTimeZone, themes } from "../../admin/settings.ts";
import { defaultSettings, type Settings } from "../../store/catalog/mod.ts";
import { digestOf } from "../../store/mod.ts";
import { isLocale, type Locale, localeOf } from "../i18n/mod.ts";

export type Theme = typeof themes[number];

export interface Preferences {
  readonly theme: Theme;
  readonly locale: Locale;
  /** An IANA name. */
  readonly timeZone: string;
  /** True if keyboard shortcuts are on. */
  readonly singleKeys: boolean;
}

const cookieNames = {
  theme: "tessera_theme",
  locale: "tessera_language",
  /** Written by the browser, because only it knows the zone. */
  timeZone: "tessera_zone",
  singleKeys: "tessera_keys",
  /** The density and the columns of the log: `calls/log_look.ts` reads it. */
  logLook: "tessera_log",
} as const;

const yearSeconds = 365 * 24 * 60 * 60;

/**
 * The reader's preferences: from cookies, which are untrusted input, else from the site's settings.
 * A time zone in the settings applies to everybody; the cookie then only reports the browser's
 * zone.
 */
export function readPreferences(
  headers: Headers,
  settings: Pick<Settings, "theme" | "language" | "timeZone"> = defaultSettings,
): Preferences {
  const cookies = cookiesOf(headers);
  const chosen = cookies[cookieNames.locale];
  const language = isLocale(chosen) ? chosen : settings.language;
  const zone = settings.timeZone === "browser" ? cookies[cookieNames.timeZone] : settings.timeZone;
  return {
    theme: themes.find((theme) => theme === cookies[cookieNames.theme]) ?? settings.theme,
    locale: localeOf(language, headers.get("accept-language")),
    timeZone: knownTimeZone(zone) ?? "UTC",
    singleKeys: cookies[cookieNames.singleKeys] !== "off",
  };
}

/** Stores a preference for a year. */
export function rememberPreference(
  headers: Headers,
  name: "theme" | "locale" | "singleKeys" | "logLook",
  value: string,
): void {
  setCookie(headers, {
    name: cookieNames[name],
    value,
    path: "/",
    sameSite: "Lax",
    httpOnly: true,
    maxAge: yearSeconds,
  });
}

/** Reads all cookies; none if the header is malformed. */
export function cookiesOf(headers: Headers): Partial<Record<string, string>> {
  try {
    return getCookies(headers);
  } catch {
    return {};
  }
}

const cookieName = "tessera_notice";

/** The site notice for this browser; empty if it was hidden. */
export function noticeFor(headers: Headers, { notice }: Pick<Settings, "notice">): string {
  return cookiesOf(headers)[cookieName] === noticeId(notice) ? "" : notice;
}

/** The id of a notice, which changes with its text, so that a new notice appears again. */
export function noticeId(notice: string): string {
  return digestOf(notice).slice(0, 32);
}

/** Hides a notice until the browser is closed. Ignores any text that is not the id of a notice. */
export function hideNotice(headers: Headers, id: string): void {
  if (!/^[0-9a-f]{32}$/.test(id)) return;
  setCookie(headers, { name: cookieName, value: id, path: "/", sameSite: "Lax", httpOnly: true });
}
