/** The languages of the console and how one is chosen. */
import { type Catalog, en } from "./en/mod.ts";
import { zhCn } from "./zh_cn/mod.ts";

export type { Catalog } from "./en/mod.ts";

export const catalogs = { en, "zh-CN": zhCn } as const satisfies Record<string, Catalog>;
export type Locale = keyof typeof catalogs;
export const locales: readonly Locale[] = ["en", "zh-CN"];

export function isLocale(text: string | undefined): text is Locale {
  return text !== undefined && Object.hasOwn(catalogs, text);
}

/** The chosen language, else the first supported one of the header, else English. */
export function localeOf(chosen: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(chosen)) return chosen;
  for (const tag of preferred(acceptLanguage ?? "")) {
    if (/^zh\b/i.test(tag)) return "zh-CN";
    if (/^en\b/i.test(tag)) return "en";
  }
  return "en";
}

/** The tags of an Accept-Language header, highest weight first. */
function preferred(header: string): string[] {
  return header.slice(0, 1_000).split(",")
    .map((part) => {
      const [tag = "", quality] = part.trim().split(/\s*;\s*q=/);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
