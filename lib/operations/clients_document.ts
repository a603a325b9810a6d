import { outlineOf, readSource } from "../docs/mod.ts";

/** `GET /docs/clients.md`: the guides of all clients, as plain text that browsers show. */
export async function clientsDocument(): Promise<Response> {
  const guides = outlineOf(await readSource()).filter(({ group }) => group === "Connect clients");
  const slugs = ["start/clients", "start/sdks", ...guides.map(({ slug }) => slug)];
  const texts = await Promise.all(slugs.map((slug) => readSource(slug)));
  return new Response(texts.join("\n"), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}
