import { getCookies, setCookie } from "@std/http";
import { knownTimeZone, themes } from "../../admin/settings.ts";
import { defaultSettings, type Settings } from "../../store/catalog/mod.ts";
import { isLocale, type Locale, localeOf } from "../i18n/mod.ts";

export type Theme = typeof themes[number];

interface Preferences {
  readonly theme: Theme;
  readonly locale: Locale;
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
