import type { Token, Tokens } from "marked";
import { CodeBlock, type MarkdownTexts } from "./CodeBlock.tsx";
import { MarkdownInline } from "./MarkdownInline.tsx";

interface MarkdownBlockProps<T extends Token = Token> {
  readonly token: T;
  /** Set while the block may still grow. */
  readonly growing: boolean;
  readonly texts: MarkdownTexts;
}

/** One block of an answer. */
export function MarkdownBlock({ token, growing, texts }: MarkdownBlockProps) {
  const tokens = "tokens" in token ? token.tokens : undefined;
  const shared = { growing, texts };
  switch (token.type) {
    case "heading":
      return <Heading depth={token.depth} tokens={tokens ?? []} />;
    case "paragraph":
      return (
        <p>
          <MarkdownInline tokens={tokens} />
        </p>
      );
    case "text":
      return <MarkdownInline tokens={tokens ?? [token]} />;
    case "blockquote":
      return (
        <blockquote>
          <MarkdownBlocks tokens={tokens ?? []} {...shared} />
        </blockquote>
      );
    case "list":
      return <List token={token as Tokens.List} {...shared} />;
    case "code":
      return <CodeBlock text={token.text} language={token.lang} growing={growing} texts={texts} />;
    case "table":
      return <Table token={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "checkbox":
      return <MarkdownInline tokens={[token]} />;
    case "space":
      return null;
    default:
      return <p>{token.raw}</p>;
  }
}

function MarkdownBlocks(
  { tokens, ...shared }: Omit<MarkdownBlockProps, "token"> & { tokens: readonly Token[] },
) {
  return <>{tokens.map((token, at) => <MarkdownBlock key={at} token={token} {...shared} />)}</>;
}

/** The page has headings above an answer, so those of the answer begin two levels below. */
function Heading({ depth, tokens }: { depth: number; tokens: readonly Token[] }) {
  const Tag = depth <= 2 ? "h4" : depth === 3 ? "h5" : "h6";
  return (
    <Tag>
      <MarkdownInline tokens={tokens} />
    </Tag>
  );
}

function List({ token: { ordered, start, items }, ...shared }: MarkdownBlockProps<Tokens.List>) {
  const children = items.map(({ tokens }, at) => (
    <li key={at}>
      <MarkdownBlocks tokens={tokens} {...shared} />
    </li>
  ));
  return ordered ? <ol start={Number(start)}>{children}</ol> : <ul>{children}</ul>;
}

function Table({ token: { header, rows } }: { token: Tokens.Table }) {
  return (
    <div class="scrolling" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, at) => (
              <th key={at} scope="col" class={align === "right" ? "n" : undefined}>
                <MarkdownInline tokens={tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map(({ tokens, align }, at) => (
                <td key={at} class={align === "right" ? "n" : undefined}>
                  <MarkdownInline tokens={tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
