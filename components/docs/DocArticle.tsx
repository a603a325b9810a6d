import type { Token, Tokens } from "marked";
import { type ComponentChildren, Fragment, h } from "preact";
import type { DocsView } from "../../lib/console/docs/docs_view.ts";
import type { View } from "../../lib/console/page/view.ts";
import { type DocPage, highlight, linkOf } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Snippet } from "../Snippet.tsx";
import { untranslated } from "../untranslated.ts";
import { docHref } from "./DocsLayout.tsx";

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

interface BlockProps<T extends Token = Token> {
  readonly view: View;
  readonly page: DocPage;
  readonly token: T;
}

/** The content of a page. */
function Blocks(
  { view, page, tokens = page.blocks }: {
    view: View;
    page: DocPage;
    tokens?: readonly Token[];
  },
) {
  return (
    <>
      {tokens.map((token, at) => <Block key={at} view={view} page={page} token={token} />)}
    </>
  );
}

/** Does not render HTML, such as the comments that control the tests of code blocks. */
function Block({ view, page, token }: BlockProps) {
  const tokens = "tokens" in token ? token.tokens : undefined;
  const words = <Inline tokens={tokens} slug={page.slug} />;
  switch (token.type) {
    case "heading":
      return <Heading page={page} token={token} />;
    case "paragraph":
      return <p>{words}</p>;
    case "text":
      return words;
    case "blockquote":
      return (
        <blockquote>
          <Blocks view={view} page={page} tokens={tokens} />
        </blockquote>
      );
    case "list":
      return <List view={view} page={page} token={token as Tokens.List} />;
    case "code":
      return <Code view={view} page={page} token={token as Tokens.Code} />;
    case "table":
      return <Table view={view} page={page} token={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    default:
      return null;
  }
}

function Heading({ page, token }: Pick<BlockProps, "page" | "token">) {
  const heading = page.headings.get(token);
  if (!heading) return null;
  const Tag = heading.depth <= 2 ? "h2" : "h3";
  return (
    <Tag id={heading.id}>
      <a class="anchor" href={`#${heading.id}`}>
        <Inline tokens={"tokens" in token ? token.tokens : []} slug={page.slug} />
      </a>
    </Tag>
  );
}

function List({ view, page, token: { ordered, start, items } }: BlockProps<Tokens.List>) {
  const children = items.map(({ tokens }) => (
    <li>
      <Blocks view={view} page={page} tokens={tokens} />
    </li>
  ));
  return ordered ? <ol start={Number(start)}>{children}</ol> : <ul>{children}</ul>;
}

function Code({ view, page, token }: BlockProps<Tokens.Code>) {
  const { copy, docs } = view.catalog;
  const [language = ""] = (token.lang ?? "").split(" ");
  const at = page.figures.indexOf(token) + 1;
  return (
    <Snippet
      text={token.text}
      html={highlight(token.text, language)}
      label={docs.code(at)}
      copy={docs.copyCode(at)}
      texts={copy}
    />
  );
}

function Table({ view, page, token: { header, rows, ...token } }: BlockProps<Tokens.Table>) {
  const at = page.figures.findIndex(({ raw }) => raw === token.raw) + 1;
  return (
    <div class="scrolling" tabIndex={0} role="region" aria-label={view.catalog.docs.table(at)}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }) => (
              <th scope="col">
                <Inline tokens={tokens} slug={page.slug} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map(({ tokens }) => (
                <td>
                  <Inline tokens={tokens} slug={page.slug} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Inline text of a block. HTML in a document is never rendered; all text is escaped. */
export function Inline({ tokens = [], slug }: { tokens?: readonly Token[]; slug: string }) {
  const children = tokens.map((token) => inlineOf(token, slug));
  return h(Fragment, null, children); // as JSX, texts in a list are escaped twice
}

function inlineOf(token: Token, slug: string): ComponentChildren {
  const children = "tokens" in token && token.tokens
    ? <Inline tokens={token.tokens} slug={slug} />
    : undefined;
  switch (token.type) {
    case "strong":
      return <strong>{children}</strong>;
    case "em":
      return <em>{children}</em>;
    case "codespan":
      return <code {...untranslated}>{token.text}</code>;
    case "link":
      return <DocLink href={linkOf(token.href, slug)}>{children}</DocLink>;
    case "image":
      return <img src={linkOf(token.href, slug)} alt={token.text} loading="lazy" />;
    case "br":
      return <br />;
    case "html":
      return null;
    default:
      return children ?? ("text" in token ? token.text : "");
  }
}

function DocLink({ href, children }: { href: string | undefined; children: ComponentChildren }) {
  return href === undefined ? <>{children}</> : <A href={href}>{children}</A>;
}
