import type { Context } from "fresh";
import { type OutlinePage, readAsset, readOutline, readPage } from "../../docs/mod.ts";
import type { View } from "../page/view.ts";
import type { ConsoleState } from "../session/state.ts";

/** The frame of the documents: the reader's preferences and all pages. */
export interface DocsView {
  readonly view: View;
  readonly outline: readonly OutlinePage[];
  /** The page's own address, to mark it in the navigation and to return to. */
  readonly path: string;
  readonly isSignedIn: boolean;
}

export async function docsView({ state, url }: Context<ConsoleState>): Promise<DocsView> {
  return {
    view: state,
    outline: await readOutline(),
    path: url.pathname + url.search,
    isSignedIn: state.account !== undefined,
  };
}

/** Answers with the Markdown of a page, or with a file that pages link; undefined for others. */
export async function sourceAnswer(path: string): Promise<Response | undefined> {
  const [, slug, ending = ""] = /^(.+)\.([a-z]+)$/.exec(path) ?? [];
  if (slug === undefined || !Object.hasOwn(types, ending)) return undefined;
  const source = ending === "md" ? (await readPage(slug))?.source : await readAsset(path);
  if (source === undefined) return undefined;
  return new Response(source, {
    headers: { "content-type": types[ending] ?? "", "cache-control": "no-cache" },
  });
}

const types: Readonly<Record<string, string>> = {
  md: "text/plain; charset=utf-8",
  json: "application/json",
  webp: "image/webp",
};
