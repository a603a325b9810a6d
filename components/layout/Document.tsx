import { asset } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import type { Locale } from "../../lib/console/i18n/mod.ts";
import type { Theme } from "../../lib/console/page/preferences.ts";
import { styleSheet } from "../../lib/console/page/style_sheet.ts";

/** The HTML document around every page. */
export function Document(
  { locale, theme, siteName, children }: {
    locale: Locale;
    theme: Theme;
    siteName: string;
    children: ComponentChildren;
  },
) {
  return (
    <html lang={locale} data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <title>{siteName}</title>
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
