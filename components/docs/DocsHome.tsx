import type { DocsView } from "../../lib/console/docs/docs_view.ts";
import type { OutlinePage } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { docHref } from "./DocsLayout.tsx";

/** The home page of the documentation: all pages by topic, each with its summary. */
export function DocsHome({ docs: { view, outline } }: { docs: DocsView }) {
  const { docs: texts, apiReference } = view.catalog;
  return (
    <article class="doc-text home">
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead}</p>
      <p class="actions start">
        <A class="button primary" href="/docs/start/first-call">{texts.begin}</A>
        <A class="button" href="/docs/api">{apiReference}</A>
        <A class="button" href="/openapi.json">openapi.json</A>
      </p>
      {[...Map.groupBy(outline, ({ section }) => section)].map(([section, pages]) => (
        <section key={section} lang="en">
          <h2>{section}</h2>
          {[...Map.groupBy(pages, ({ group }) =>
            group)].map(([group, grouped]) => (
              <>
                {group && <h3>{group}</h3>}
                <Cards pages={grouped} />
              </>
            ))}
        </section>
      ))}
    </article>
  );
}

function Cards({ pages }: { pages: readonly OutlinePage[] }) {
  return (
    <ul class="cards">
      {pages.map((page) => (
        <li key={page.slug}>
          <A href={docHref(page)}>
            <b>{page.title}</b>
            <span>{page.summary}</span>
          </A>
        </li>
      ))}
    </ul>
  );
}
