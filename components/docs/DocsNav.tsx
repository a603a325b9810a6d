import type { View } from "../../lib/console/page/view.ts";
import type { OutlinePage } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { SheetHead } from "../Panel.tsx";

/** All pages by topic. Expands the group of the open page, or else the first section. */
export function DocsNav(
  { view: { catalog: { docs, sheets, apiReference } }, outline, path }: {
    view: View;
    outline: readonly OutlinePage[];
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
          <A href="/docs/api">{apiReference}</A>
        </li>
      </ul>
      {sections.map(([section, pages]) => (
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

function PageLinks({ pages, path }: { pages: readonly OutlinePage[]; path: string }) {
  return (
    <ul>
      {pages.map((page) => (
        <li key={page.slug}>
          <A href={docHref(page)} current={docHref(page) === path && "page"}>{page.title}</A>
        </li>
      ))}
    </ul>
  );
}

export function docHref({ slug }: Pick<OutlinePage, "slug">): string {
  return `/docs/${slug}`;
}
