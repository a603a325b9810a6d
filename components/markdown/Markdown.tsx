import type { Token, Tokens } from "marked";
import { Component, type ComponentChildren, Fragment, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { untranslated } from "../untranslated.ts";
import type { MarkdownState } from "./lexer.ts";
import type { CodeRun } from "./prism/highlight.ts";
import { useMarkdownReader } from "./reader.ts";

interface MarkdownBlockProps<T extends Token = Token> {
  readonly token: T;
  /** Set while the block may still grow. */
  readonly growing: boolean;
  readonly texts: MarkdownTexts;
}

/** One block of an answer. */
function MarkdownBlock({ token, growing, texts }: MarkdownBlockProps) {
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

/** Inline text. Preact escapes all of it; other marks than these are shown as text. */
function MarkdownInline({ tokens = [] }: { tokens?: readonly Token[] }) {
  return h(Fragment, null, tokens.map(inlineOf)); // as JSX, texts in a list are escaped twice
}

function inlineOf(token: Token, key: number): ComponentChildren {
  const children = "tokens" in token && token.tokens
    ? <MarkdownInline tokens={token.tokens} />
    : undefined;
  switch (token.type) {
    case "strong":
      return <strong key={key}>{children}</strong>;
    case "em":
      return <em key={key}>{children}</em>;
    case "del":
      return <del key={key}>{children}</del>;
    case "codespan":
      return <code key={key} {...untranslated}>{token.text}</code>;
    case "link":
      return <WebLink key={key} href={token.href}>{children}</WebLink>;
    case "image":
      return <Picture key={key} href={token.href} text={token.text} />;
    case "br":
      return <br key={key} />;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    default:
      return children ?? ("text" in token ? unescaped(token.text) : token.raw);
  }
}

function WebLink({ href, children }: { href: string; children: ComponentChildren }) {
  const address = safeLink(href);
  if (address === undefined) return <>{children}</>;
  return <a href={address} target="_blank" rel="noopener noreferrer nofollow">{children}</a>;
}

function Picture({ href, text }: { href: string; text: string }) {
  const source = safeImage(href);
  if (source !== undefined) return <img class="picture" src={source} alt={text} />;
  return <WebLink href={href}>{text || href}</WebLink>;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity]);
}

/** A text with Markdown, which may grow while it is shown. Plain until the reader is loaded. */
export function Markdown(
  { text, growing, texts }: { text: string; growing: boolean; texts: MarkdownTexts },
) {
  const read = useMarkdownReader();
  const state = useRef<MarkdownState>();
  if (!read || text === "") return text && <p class="words">{text}</p>;
  const { settled, open } = state.current = read(state.current, text);
  return (
    <div class="markdown">
      {settled.map((tokens, at) => <Settled key={at} tokens={tokens} texts={texts} />)}
      {open.map((token, at) => (
        <MarkdownBlock
          key={`${settled.length} ${at}`}
          token={token}
          growing={growing}
          texts={texts}
        />
      ))}
    </div>
  );
}

interface SettledProps {
  readonly tokens: readonly Token[];
  readonly texts: MarkdownTexts;
}

/** Blocks that stay as they are, and are drawn once. */
class Settled extends Component<SettledProps> {
  override shouldComponentUpdate({ tokens }: SettledProps): boolean {
    return tokens !== this.props.tokens;
  }

  render({ tokens, texts }: SettledProps) {
    return (
      <>
        {tokens.map((token, at) => (
          <MarkdownBlock key={at} token={token} growing={false} texts={texts} />
        ))}
      </>
    );
  }
}

/** The texts of code blocks. */
interface MarkdownTexts {
  readonly copyCode: string;
  readonly copy: CopyTexts;
}

/** A code block. Its colours come with a script of their own, once the block is complete. */
function CodeBlock(
  { text, language = "", growing, texts }: {
    text: string;
    language?: string;
    /** Set while the block may still grow. */
    growing: boolean;
    texts: MarkdownTexts;
  },
) {
  const [name] = language.split(/[\s,{]/);
  const runs = useColours(text, name.toLowerCase(), !growing);
  return (
    <div class="code-block">
      <header>
        <span {...untranslated}>{name}</span>
        <CopyButton text={text} label={texts.copyCode} texts={texts.copy} />
      </header>
      <pre tabIndex={0}><code {...untranslated}>{runs ? runs.map(runOf) : text}</code></pre>
    </div>
  );
}

function runOf({ type, text }: CodeRun, at: number) {
  return type === undefined ? text : <span key={at} class={`token ${type}`}>{text}</span>;
}

/** Longer blocks stay without colours. */
const charsMax = 30_000;

function useColours(text: string, language: string, isWhole: boolean) {
  const [shown, show] = useState<{ of: string; runs?: readonly CodeRun[] }>({ of: "" });
  useEffect(() => {
    if (!isWhole || language === "" || text.length > charsMax) return;
    let isGone = false;
    import("./prism/highlight.ts").then(
      ({ colouredRuns }) => isGone || show({ of: text, runs: colouredRuns(text, language) }),
      () => {}, // without the script, the code has no colours
    );
    return () => {
      isGone = true;
    };
  }, [text, language, isWhole]);
  return shown.of === text ? shown.runs : undefined;
}

const protocols: ReadonlySet<string> = new Set(["https:", "http:", "mailto:"]);

/** The address of a link that may be followed: absolute, of the web or of mail. */
function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href);
    return protocols.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** An image that is part of the text. Images from elsewhere would report who reads the answer. */
function safeImage(href: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(href)
    ? href
    : undefined;
}
