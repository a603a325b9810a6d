import type { ComponentChildren } from "preact";
import { adminServices } from "../../lib/admin/services.ts";
import { type Catalog, catalogs } from "../../lib/console/i18n/mod.ts";
import { readPreferences } from "../../lib/console/page/preferences.ts";
import type { View } from "../../lib/console/page/view.ts";
import type { FailureCause } from "../../lib/console/session/error_pages.ts";
import { RoleRefused } from "../../lib/console/session/access.ts";
import { readOnlySession } from "../../lib/console/session/impersonation.ts";
import { defaultSettings } from "../../lib/store/catalog/mod.ts";
import { A } from "../A.tsx";
import { BarePage } from "./BarePage.tsx";
import { Document, tabTitle } from "./Document.tsx";

type Words = Catalog["failure"];

const wordsOf = {
  403: ({ forbidden, forbiddenText }) => [forbidden, forbiddenText],
  404: ({ notFound, notFoundText }) => [notFound, notFoundText],
  405: ({ method, methodText }) => [method, methodText],
  413: ({ tooLarge, tooLargeText }) => [tooLarge, tooLargeText],
  415: ({ method, methodText }) => [method, methodText],
  429: ({ tooLarge, startingText }) => [tooLarge, startingText],
  503: ({ starting, startingText }) => [starting, startingText],
} as const satisfies Record<number, (words: Words) => readonly [string, string]>;

/**
 * The whole page of a failed request, in the reader's language. It names its title itself, because
 * Fresh has written the head when it reaches the `Title` of the body.
 */
export function FailurePage(
  { request, url, cause }: { request: Request; url: URL; cause: FailureCause },
) {
  const settings = adminServices()?.directory.settings() ?? defaultSettings;
  const { theme, locale } = readPreferences(request.headers, settings);
  const catalog = catalogs[locale];
  const [title, text] = wordsFor(cause, catalog, locale);
  const back = request.method === "GET" ? url.pathname + url.search : "/console";
  return (
    <Document locale={locale} theme={theme} title={tabTitle(title, settings.siteName)}>
      <body>
        <BarePage view={{ catalog, locale, theme, settings }} title={title} back={back}>
          <h1>{title}</h1>
          <p>{text}</p>
          <A class="button primary" href="/console">{catalog.failure.home}</A>
        </BarePage>
      </body>
    </Document>
  );
}

function wordsFor(
  cause: FailureCause,
  { failure: words, users, account }: Catalog,
  locale: View["locale"],
): readonly [string, string] {
  if (cause instanceof RoleRefused) {
    const who = cause.roles.map((role) => account.plural[role]);
    const list = new Intl.ListFormat(locale, { type: "conjunction" }).format(who);
    return [words.roleRefused, words.roleRefusedText(list)];
  }
  if (cause === "store_unavailable") return [words.store, words.storeText];
  if (cause === readOnlySession) return [users.viewingRefused, users.viewingRefusedText];
  const known: Readonly<Record<number, (words: Words) => readonly [string, string]>> = wordsOf;
  return known[cause]?.(words) ?? [words.broken, words.brokenText];
}

/** The page of an expired or unknown link, with a link to sign in. */
export function NothingHere({ view, title, text, back, children }: {
  view: View;
  title: string;
  text: string;
  /** The address to return to after a change of theme or language. */
  back: string;
  children?: ComponentChildren;
}) {
  return (
    <BarePage view={view} title={title} back={back}>
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
      <A class="button primary" href="/login">{view.catalog.setup.goneAction}</A>
    </BarePage>
  );
}
