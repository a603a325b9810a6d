import type { DocsView } from "../../lib/console/docs/docs_view.ts";
import type { DocPage } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Blocks } from "./Blocks.tsx";
import { docHref } from "./DocsNav.tsx";

/** A page: its section, its title, its content, and links to the previous and next pages. */
export function DocArticle({ docs, page }: { docs: DocsView; page: DocPage }) {
  const { view, outline } = docs;
  const here = outline.find(({ slug }) => slug === page.slug);
  return (
    <>
      <article class="doc-text" lang="en">
        <p class="crumb">{here?.group ?? here?.section ?? view.catalog.docs.title}</p>
        <h1>{page.title}</h1>
        <Blocks view={view} page={page} />
      </article>
      {here && <Turns docs={docs} at={outline.indexOf(here)} />}
    </>
  );
}

function Turns({ docs: { view, outline }, at }: { docs: DocsView; at: number }) {
  const { docs: texts } = view.catalog;
  const [previous, next] = [outline[at - 1], outline[at + 1]];
  return (
    <nav class="turns" aria-label={texts.turns}>
      {previous && (
        <A href={docHref(previous)} rel="prev">
          <span>{texts.previous}</span>
          <b>
            <Icon name="arrow-left" small /> {previous.title}
          </b>
        </A>
      )}
      {next && (
        <A class="next" href={docHref(next)} rel="next">
          <span>{texts.next}</span>
          <b>
            {next.title} <Icon name="arrow-right" small />
          </b>
        </A>
      )}
    </nav>
  );
}

/** The table of contents of a page; nothing if the page has a single heading. */
export function Contents({ docs, page }: { docs: DocsView; page: DocPage }) {
  const headings = [...page.headings.values()].filter(({ depth }) => depth <= 3);
  if (headings.length < 2) return null;
  return (
    <nav class="contents" aria-label={docs.view.catalog.docs.onThisPage}>
      <b>{docs.view.catalog.docs.onThisPage}</b>
      <ul>
        {headings.map(({ id, text, depth }) => (
          <li key={id} class={depth > 2 ? "deep" : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
