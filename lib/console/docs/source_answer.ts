import { readPage } from "../../docs/mod.ts";

/** Answers with the Markdown of a page. */
export async function sourceAnswer(slug: string): Promise<Response | undefined> {
  const source = (await readPage(slug))?.source;
  if (source === undefined) return undefined;
  return new Response(source, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
  });
}
