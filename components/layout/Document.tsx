import { asset, Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import type { Locale } from "../../lib/console/i18n/mod.ts";
import type { Theme } from "../../lib/console/page/preferences.ts";
import { styleSheet } from "../../lib/console/page/style_sheet.ts";
import { A } from "../A.tsx";
import { untranslated } from "../untranslated.ts";

/** The HTML document around every page. */
export function Document(
  { locale, theme, title, children }: {
    locale: Locale;
    theme: Theme;
    /** The title of a page that has no `Title`. */
    title: string;
    children: ComponentChildren;
  },
) {
  return (
    <html lang={locale} data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <title key={titleKey}>{title}</title>
        <link rel="icon" href={asset("/icons.svg")} type="image/svg+xml" />
        <link
          rel="preload"
          href="/fonts/plex-sans-5.3.0.woff2"
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={styleSheet().href} />
      </head>
      {children}
    </html>
  );
}

/** Names the document's title, which Fresh would otherwise confuse with the titles of pictures. */
const titleKey = "page";

/** The title of the browser tab. */
export function Title({ site, children }: { site: string; children: string }) {
  return (
    <Head>
      <title key={titleKey}>{tabTitle(children, site)}</title>
    </Head>
  );
}

export function tabTitle(title: string, site: string): string {
  return `${title} · ${site}`;
}

/** Four tiles, one of them set apart: the mark of Tessera. */
export function Mark() {
  return (
    <svg class="mark" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
      <rect width="26" height="26" rx="6" />
      <path class="tile" d="M6 6h6v6H6zM6 14h6v6H6zM14 14h6v6h-6z" />
      <path class="tile far" d="M14 6h6v6h-6z" />
    </svg>
  );
}

export function Brand({ href, site }: { href: string; site: string }) {
  return (
    <A class="brand" href={href}>
      <Mark />
      <span {...untranslated}>{site}</span>
    </A>
  );
}
