import { type Context, HttpError } from "fresh";
import { A } from "../../components/A.tsx";
import { BarePage } from "../../components/layout/BarePage.tsx";
import { Document } from "../../components/layout/Document.tsx";
import { GatewayError } from "../canonical/mod.ts";
import { defaultSettings } from "../store/catalog/mod.ts";
import { type Catalog, catalogs } from "./i18n/mod.ts";
import { readOnlySession } from "./session/impersonation.ts";
import { readPreferences } from "./page/preferences.ts";
import { consoleServices } from "./session/services.ts";

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
 * Converts every thrown error to a page. A middleware, because Fresh renders its own error pages
 * outside all middleware, without our headers.
 */
export async function errorPages<State>(ctx: Context<State>): Promise<Response> {
  try {
    return await ctx.next();
  } catch (error) {
    const status = statusOf(error);
    const isStore = error instanceof GatewayError && error.code === "store_unavailable";
    if (status >= 500 && !isStore) report(ctx, error); // the store's health is reported once
    if (ctx.req.headers.get("accept") === "application/json") {
      return Response.json({ status }, { status });
    }
    const isReadOnly = error instanceof HttpError && error.message === readOnlySession;
    const cause = isStore ? "store_unavailable" : isReadOnly ? readOnlySession : status;
    return await ctx.render(<FailurePage request={ctx.req} url={ctx.url} cause={cause} />, {
      status,
    }, { skipAppWrapper: true, skipInheritedLayouts: true });
  }
}

/** The status of an error. A full queue of password checks is no internal error. */
function statusOf(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  if (!(error instanceof GatewayError)) return 500;
  if (error.code === "store_unavailable") return 503;
  return error.code === "rate_limit_exceeded" ? 429 : 500;
}

/** A status, or a more specific cause. */
type Cause = number | typeof readOnlySession | "store_unavailable";

function FailurePage({ request, url, cause }: { request: Request; url: URL; cause: Cause }) {
  const settings = consoleServices()?.directory.settings() ?? defaultSettings;
  const { theme, locale } = readPreferences(request.headers, settings);
  const catalog = catalogs[locale];
  const [title, text] = wordsFor(cause, catalog);
  const back = request.method === "GET" ? url.pathname + url.search : "/console";
  return (
    <Document locale={locale} theme={theme} siteName={settings.siteName}>
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

function wordsFor(cause: Cause, { failure: words, users }: Catalog): readonly [string, string] {
  if (cause === "store_unavailable") return [words.store, words.storeText];
  if (cause === readOnlySession) return [users.viewingRefused, users.viewingRefusedText];
  const known: Readonly<Record<number, (words: Words) => readonly [string, string]>> = wordsOf;
  return known[cause]?.(words) ?? [words.broken, words.brokenText];
}

/** Logs the path without its query, because an address may contain the token of a set-up link. */
function report<State>(ctx: Context<State>, error: unknown): void {
  const what = error instanceof Error ? error.stack ?? error.message : String(error);
  console.error(`Console: ${ctx.req.method} ${ctx.route ?? "unknown route"} failed: ${what}`);
}
