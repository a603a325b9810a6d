import { readOutline, readPage } from "../../docs/mod.ts";

/** Answers with the Markdown of a page. `clients`, a former page, returns all client guides. */
export async function sourceAnswer(slug: string): Promise<Response | undefined> {
  const source = slug === "clients" ? await clientGuides() : (await readPage(slug))?.source;
  if (source === undefined) return undefined;
  return new Response(source, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
  });
}

async function clientGuides(): Promise<string> {
  const guides = (await readOutline()).filter(({ group }) => group === "Connect clients");
  const slugs = ["start/clients", "start/sdks", ...guides.map(({ slug }) => slug)];
  const pages = await Promise.all(slugs.map((slug) => readPage(slug)));
  return pages.map((page) => page?.source ?? "").join("\n");
}
