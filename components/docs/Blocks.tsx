import type { Token, Tokens } from "marked";
import type { View } from "../../lib/console/page/view.ts";
import { type DocPage, highlight } from "../../lib/docs/mod.ts";
import { Snippet } from "../Snippet.tsx";
import { Inline } from "./Inline.tsx";

interface BlockProps<T extends Token = Token> {
  readonly view: View;
  readonly page: DocPage;
  readonly token: T;
}

/** The content of a page. */
export function Blocks(
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
