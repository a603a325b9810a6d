import type { Context } from "fresh";
import { type OutlinePage, readOutline, readPage } from "../../docs/mod.ts";
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

/** Answers with the Markdown of a page. */
export async function sourceAnswer(slug: string): Promise<Response | undefined> {
  const source = (await readPage(slug))?.source;
  if (source === undefined) return undefined;
  return new Response(source, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
  });
}
