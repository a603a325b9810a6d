import { asset } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import type { Locale, Theme } from "../../lib/console/page/view.ts";

const sheets = [
  "tokens",
  "base",
  "shell",
  "controls",
  "panels",
  "code",
  "dialog",
  "funds",
  "attention",
  "usage",
  "log",
  "keys",
  "models",
  "chart",
  "admin",
  "playground",
  "markdown",
  "account",
  "upstreams",
  "folds",
  "check",
  "welcome",
  "settings",
  "sheets",
  "tables",
  "touch",
  "print",
] as const;

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
        <link rel="icon" href={asset("/icon.svg")} type="image/svg+xml" />
        {sheets.map((sheet) => (
          <link key={sheet} rel="stylesheet" href={asset(`/css/${sheet}.css`)} />
        ))}
      </head>
      {children}
    </html>
  );
}
