import { asset, Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import DocsSearch from "../../islands/DocsSearch.tsx";
import type { DocsView } from "../../lib/console/docs/docs_view.ts";
import type { View } from "../../lib/console/page/view.ts";
import { type ApiGroup, apiParts, type DocMatch, type OutlinePage } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { SheetHead, SheetOpener } from "../Panel.tsx";
import { LanguageForm, ThemeForm } from "../layout/BarePage.tsx";
import { Brand, Title } from "../layout/Document.tsx";

/** The frame of every page of the documents, for readers with and without an account. */
export function DocsLayout(
  { docs, title, summary, query, groups, aside, children }: {
    docs: DocsView;
    title: string;
    /** The description for search engines. */
    summary?: string;
    query?: string;
    /** The groups of the API reference, on its pages. */
    groups?: readonly ApiGroup[];
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
        {groups && <link key="api" rel="stylesheet" href={asset("/css/api.css")} />}
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
        <DocsNav view={view} outline={outline} groups={groups} path={path} />
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

/** All pages by topic, with the group of the open page expanded, or those of the API reference. */
function DocsNav(
  { view: { catalog: { docs, sheets, apiReference } }, outline, groups, path }: {
    view: View;
    outline: readonly OutlinePage[];
    groups: readonly ApiGroup[] | undefined;
    /** The page's own address. */
    path: string;
  },
) {
  const sections = [...Map.groupBy(outline, ({ section }) => section)];
  return (
    <nav id="docs-nav" class="docs-nav" aria-label={docs.pages} popover="auto">
      <SheetHead sheet="docs-nav" title={docs.title} close={sheets.close} />
      <ul class="top">
        <li>
          <A href="/docs" current={path === "/docs" && "page"}>{docs.home}</A>
        </li>
        <li>
          <A href="/docs/api" current={path === "/docs/api" && "page"}>{apiReference}</A>
        </li>
      </ul>
      {groups && <ApiLinks groups={groups} titles={docs.api.parts} path={path} />}
      {!groups && sections.map(([section, pages]) => (
        <section key={section}>
          <h2>{section}</h2>
          {[...Map.groupBy(pages, ({ group }) => group)].map(([group, grouped]) =>
            group === undefined
              ? <PageLinks key={section} pages={grouped} path={path} />
              : (
                <details key={group} open={grouped.some((page) => docHref(page) === path)}>
                  <summary>{group}</summary>
                  <PageLinks pages={grouped} path={path} />
                </details>
              )
          )}
        </section>
      ))}
    </nav>
  );
}

function ApiLinks(
  { groups, titles, path }: {
    groups: readonly ApiGroup[];
    titles: Readonly<Record<ApiGroup["part"], string>>;
    path: string;
  },
) {
  return (
    <>
      {apiParts.map((part) => (
        <section key={part}>
          <h2>{titles[part]}</h2>
          <PageLinks
            pages={groups.filter((group) => group.part === part)}
            path={path}
            hrefOf={apiHref}
          />
        </section>
      ))}
    </>
  );
}

function PageLinks({ pages, path, hrefOf = docHref }: {
  pages: readonly Pick<OutlinePage, "slug" | "title">[];
  path: string;
  hrefOf?: (page: { readonly slug: string }) => string;
}) {
  return (
    <ul>
      {pages.map((page) => (
        <li key={page.slug}>
          <A href={hrefOf(page)} current={hrefOf(page) === path && "page"}>{page.title}</A>
        </li>
      ))}
    </ul>
  );
}

export function docHref({ slug }: Pick<OutlinePage, "slug">): string {
  return `/docs/${slug}`;
}

/** The address of a group of the API reference, or of one of its operations. */
export function apiHref({ slug }: Pick<ApiGroup, "slug">, id = ""): string {
  return `/docs/api/${slug}${id && `#${id}`}`;
}

/** The matches of a search, best first. */
export function DocMatches({ matches }: { matches: readonly DocMatch[] }) {
  return (
    <ol class="matches" lang="en">
      {matches.map(({ href, page, heading, excerpt }) => (
        <li key={href}>
          <A href={href}>
            <b>{heading ? `${page} › ${heading}` : page}</b>
            <span>{excerpt}</span>
          </A>
        </li>
      ))}
    </ol>
  );
}
