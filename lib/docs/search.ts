import MiniSearch from "minisearch";
import { lazy } from "../lazy.ts";
import { type DocPage, plainText, readOutline, readPage } from "./library.ts";

/** A section of a page that matches. */
export interface DocMatch {
  readonly href: string;
  readonly page: string;
  /** The heading; empty for the beginning of the page. */
  readonly heading: string;
  /** Words around the first match. */
  readonly excerpt: string;
}

interface Section {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const matchesMax = 20;
const queryLengthMax = 200;
const excerptLength = 160;

/** The documents' words for those that other products and operators use. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  "401": ["errors"],
  "403": ["errors"],
  "429": ["errors"],
  fallback: ["failover"],
  fallbacks: ["failover"],
  forgot: ["lost"],
  forgotten: ["lost"],
  helm: ["kubernetes", "machines"],
  invalid: ["errors"],
  k8s: ["kubernetes", "machines"],
  kubernetes: ["machines"],
  spend: ["budget"],
  update: ["upgrade"],
  virtual: ["api"],
};

/**
 * The sections that contain the words of a query or their synonyms, best first; words may be
 * incomplete or misspelled. Without a section that has all words, those that have some, unless
 * `all` is set.
 */
export async function searchDocs(
  query: string,
  { all: needsAll = false }: { readonly all?: boolean } = {},
): Promise<DocMatch[]> {
  const index = await readIndex();
  const words = query.slice(0, queryLengthMax).toLowerCase().match(/[^\s\p{P}]+/gu) ?? [];
  const queries = words.map((word) => ({
    combineWith: "OR" as const,
    queries: [word, ...Object.hasOwn(synonyms, word) ? synonyms[word] ?? [] : []],
  }));
  const all = index.search({ combineWith: "AND", queries });
  const matches = needsAll || all.length > 0 ? all : index.search({ combineWith: "OR", queries });
  return matches.slice(0, matchesMax).map((found) => ({
    href: found.id,
    page: found.page,
    heading: found.heading,
    excerpt: excerptOf(found.text, found.terms),
  }));
}

const readIndex = lazy(async () => {
  const index = new MiniSearch<Section>({
    idField: "href",
    fields: ["page", "heading", "text"],
    storeFields: ["page", "heading", "text"],
    searchOptions: {
      boost: { page: 4, heading: 3 },
      prefix: true,
      fuzzy: (term) => term.length > 4 ? 0.25 : false,
      boostDocument: (href) => String(href).includes("#") ? 1 : 1.5,
    },
  });
  const outline = await readOutline();
  const pages = await Promise.all(outline.map(({ slug }) => readPage(slug)));
  // In small chunks, so that indexing does not block running streams.
  await index.addAllAsync(pages.flatMap((page) => page ? sectionsOf(page) : []), { chunkSize: 5 });
  return index;
});

function sectionsOf(page: DocPage): Section[] {
  const address = `/docs/${page.slug}`;
  const sections = [{ href: address, page: page.title, heading: "", text: "" }];
  for (const block of page.blocks) {
    const heading = page.headings.get(block);
    const last = sections.at(-1);
    if (heading) {
      const { id, text } = heading;
      sections.push({ href: `${address}#${id}`, page: page.title, heading: text, text: "" });
    } else if (last) last.text += ` ${plainText(block)}`;
  }
  return sections;
}

function excerptOf(text: string, terms: readonly string[]): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  const lower = words.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, words.length) - 40);
  const from = places.length === 0 || start === 0 ? 0 : words.indexOf(" ", start) + 1;
  const excerpt = words.slice(from, from + excerptLength);
  return `${from > 0 ? "…" : ""}${excerpt}${from + excerptLength < words.length ? "…" : ""}`;
}
