import { getCookies, setCookie } from "@std/http";
import { type Locale, localeOf } from "./i18n/mod.ts";

export const themes = ["light", "dark", "system"] as const;
export type Theme = typeof themes[number];

export interface Preferences {
  readonly theme: Theme;
  readonly locale: Locale;
  readonly timeZone: string;
}

const cookieNames = {
  theme: "tessera_theme",
  locale: "tessera_language",
  /** Written by the browser, which alone knows it. */
  timeZone: "tessera_zone",
} as const;

const yearSeconds = 365 * 24 * 60 * 60;

/** How the reader likes pages: from cookies, which anybody can write, so nothing in them is trusted. */
export function readPreferences(headers: Headers): Preferences {
  const cookies = cookiesOf(headers);
  return {
    theme: themes.find((theme) => theme === cookies[cookieNames.theme]) ?? "system",
    locale: localeOf(cookies[cookieNames.locale], headers.get("accept-language")),
    timeZone: knownTimeZone(cookies[cookieNames.timeZone]) ?? "UTC",
  };
}

/** Remembers a choice for a year. */
export function rememberPreference(
  headers: Headers,
  name: "theme" | "locale",
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

/** All cookies; none where the header is malformed. */
export function cookiesOf(headers: Headers): Partial<Record<string, string>> {
  try {
    return getCookies(headers);
  } catch {
    return {};
  }
}

function knownTimeZone(cookie: string | undefined): string | undefined {
  if (cookie === undefined || cookie.length > 100) return undefined;
  try {
    const timeZone = decodeURIComponent(cookie);
    new Intl.DateTimeFormat("en", { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}
