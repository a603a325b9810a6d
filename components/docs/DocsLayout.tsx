import { asset, Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import DocsSearch from "../../islands/DocsSearch.tsx";
import type { DocsView } from "../../lib/console/docs/docs_view.ts";
import { A } from "../A.tsx";
import { SheetOpener } from "../Panel.tsx";
import { LanguageForm, ThemeForm } from "../layout/BarePage.tsx";
import { Brand, Title } from "../layout/Document.tsx";
import { DocsNav } from "./DocsNav.tsx";

/** The frame of every page of the documents, for readers with and without an account. */
export function DocsLayout(
  { docs, title, summary, query, aside, children }: {
    docs: DocsView;
    title: string;
    /** The description for search engines. */
    summary?: string;
    query?: string;
    aside?: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const { view, outline, path, isSignedIn } = docs;
  const { catalog: { docs: texts, skip, signIn }, settings } = view;
  return (
    <>
      <Title site={texts.site(settings.siteName)}>{title}</Title>
      <Head>
        {summary && <meta name="description" content={summary} />}
        <link key="docs" rel="stylesheet" href={asset("/css/docs.css")} />
      </Head>
      <a class="skip" href="#main">{skip}</a>
      <div class="docs">
        <header class="docs-bar">
          <Brand href="/docs" site={settings.siteName} />
          <SheetOpener sheet="docs-nav" icon="chevrons-up-down">{texts.title}</SheetOpener>
          <span class="spacer" />
          <DocsSearch query={query} texts={texts.search} />
          <A class="button" href={isSignedIn ? "/console" : "/login"}>
            {isSignedIn ? texts.toConsole : signIn.title}
          </A>
        </header>
        <DocsNav view={view} outline={outline} path={path} />
        <main id="main" tabIndex={-1}>
          {children}
          <footer>
            <ThemeForm view={view} back={path} />
            <LanguageForm view={view} back={path} />
          </footer>
        </main>
        {aside}
      </div>
    </>
  );
}
