import { lexer, type Token, type Tokens } from "marked";

/** A page's entry in the index. */
export interface OutlinePage {
  /** Its path below `docs/` without the ending, such as `start/first-call`. */
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly section: string;
  /** Its group within the section, such as `Connect clients`. */
  readonly group?: string;
}

const folder = new URL("../../docs/", import.meta.url);

/** The Markdown source of a page; by default, of the index. */
export function readSource(slug = "README"): Promise<string> {
  return Deno.readTextFile(new URL(`${slug}.md`, folder));
}

/** A picture or the dashboard, which pages link; undefined if there is none. */
export async function readAsset(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!/^(grafana\.json|images\/[a-z-]+\.webp)$/.test(path)) return undefined;
  return await Deno.readFile(new URL(path, folder)).catch(() => undefined);
}

/**
 * The pages in reading order. `docs/README.md` is their only list: a heading for each section and
 * group, and an item `[title](path): summary` for each page.
 */
export function outlineOf(index: string): OutlinePage[] {
  const pages: OutlinePage[] = [];
  let section = "";
  let group: string | undefined;
  for (const token of lexer(index)) {
    if (isHeading(token)) {
      if (token.depth === 2) section = token.text;
      group = token.depth === 3 ? token.text : undefined;
    } else if (isList(token)) {
      const found = token.items.map(({ text }) => pageOf(text)).filter((page) =>
        page !== undefined
      );
      pages.push(...found.map((page) => ({ ...page, section, ...group && { group } })));
    }
  }
  return pages;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function pageOf(item: string): Pick<OutlinePage, "slug" | "title" | "summary"> | undefined {
  const [, title, slug, summary] = item.match(/^\[(.+?)\]\(([\w/-]+)\.md\): (.+)$/s) ?? [];
  if (title === undefined || slug === undefined || summary === undefined) return undefined;
  const words = summary.replaceAll("`", "").replaceAll(/\s+/g, " ");
  return { slug, title, summary: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** The anchors of a page's headings, as on GitHub: duplicates get a number. */
export function anchorsOf(headings: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const anchor = anchorOf(heading);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** In lower case, with hyphens for spaces and without punctuation. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
