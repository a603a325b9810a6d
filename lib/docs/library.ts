import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { lazy } from "../lazy.ts";
import { anchorsOf, outlineOf, type OutlinePage, readSource } from "./outline.ts";

interface DocHeading {
  readonly depth: number;
  readonly text: string;
  /** The anchor within its page. */
  readonly id: string;
}

/** A page as displayed. */
export interface DocPage {
  readonly slug: string;
  readonly title: string;
  /** Its first paragraph, or else its summary in the index. */
  readonly summary: string;
  readonly source: string;
  /** Its content without the title. */
  readonly blocks: readonly Token[];
  readonly headings: ReadonlyMap<Token, DocHeading>;
  /** Its code blocks and tables in order, which numbers them. */
  readonly figures: readonly Token[];
}

/** Files are read once: they do not change while the gateway runs. */
const pages = new Map<string, DocPage>();

/** Every page of the index, in reading order. */
export const readOutline = lazy(async () => outlineOf(await readSource()));

/** Paths for readers of the repository, which the gateway does not serve. */
const unserved = /^(decisions|maintainers)\//;

/** The page at a path below `docs/`; undefined if there is none. */
export async function readPage(slug: string): Promise<DocPage | undefined> {
  if (unserved.test(slug) || !/^(?:[a-z]+(-[a-z]+)*\/)?[a-z\d]+(-[a-z\d]+)*$/.test(slug)) {
    return undefined;
  }
  const known = pages.get(slug);
  if (known) return known;
  const source = await readSource(slug).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  if (source === undefined) return undefined;
  const page = pageOf(slug, source, await readOutline());
  pages.set(slug, page);
  return page;
}

/** Asides that only name a decision, such as `([why](../decisions/0024-packed-rollups.md))`. */
const asides = /\s\(\[[^\]]+\]\((\.\.\/)?decisions\/[^)]*\)\)/g;

function pageOf(slug: string, source: string, outline: readonly OutlinePage[]): DocPage {
  const [first, ...blocks] = lexer(source.replaceAll(asides, ""));
  const opening = blocks.find(({ type }) => type === "paragraph");
  const listed = outline.find((page) => page.slug === slug)?.summary ?? "";
  return {
    slug,
    title: first?.type === "heading" ? plainText(first) : slug,
    summary: opening ? plainText(opening).replaceAll("\n", " ") : listed,
    source,
    blocks,
    headings: headingsOf(blocks),
    figures: figuresOf(blocks),
  };
}

function headingsOf(blocks: readonly Token[]): Map<Token, DocHeading> {
  const headings = blocks.filter((token): token is Tokens.Heading => token.type === "heading");
  const anchors = anchorsOf(headings.map(({ text }) => text));
  return new Map(headings.map((token, at) => {
    return [token, { depth: token.depth, text: plainText(token), id: anchors[at] ?? "" }];
  }));
}

function figuresOf(blocks: readonly Token[]): Token[] {
  const figures: Token[] = [];
  walkTokens([...blocks], (token) => {
    if (token.type === "code" || token.type === "table") figures.push(token);
  });
  return figures;
}

/** The text of a block without its markup; comments and other HTML have none. */
export function plainText(token: Token): string {
  if (token.type === "html") return "";
  if (token.type === "table") {
    return [token.header, ...token.rows].flat().map(plainCell).join(" ");
  }
  if (token.type === "list") return token.items.map(plainText).join(" ");
  if ("tokens" in token && token.tokens) return token.tokens.map(plainText).join("");
  return "text" in token ? token.text : "";
}

function plainCell({ tokens }: { readonly tokens: readonly Token[] }): string {
  return tokens.map(plainText).join("");
}

const docs = new URL("https://docs.invalid/docs/");

/**
 * The address of a page's link. Relative links between files become addresses below `/docs`; links
 * to other hosts stay. Undefined for a link to what is not served, or with another scheme.
 */
export function linkOf(href: string, slug: string): string | undefined {
  const target = URL.parse(href, new URL(slug, docs));
  if (!target) return undefined;
  if (target.origin !== docs.origin) return /^https?:$/.test(target.protocol) ? href : undefined;
  if (!target.pathname.startsWith(docs.pathname)) return undefined;
  if (unserved.test(target.pathname.slice(docs.pathname.length))) return undefined;
  const path = target.pathname.replace(/\/README\.md$/, "").replace(/\.md$/, "");
  return href.startsWith("#") ? href : path + target.hash;
}
