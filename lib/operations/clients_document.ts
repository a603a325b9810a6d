const document = new URL("../../docs/clients.md", import.meta.url);

/** `GET /docs/clients.md`: how each client is set up, as plain text that browsers show. */
export async function clientsDocument(): Promise<Response> {
  return new Response(await Deno.readTextFile(document), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}
