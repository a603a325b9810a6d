/** Answers the console's requests. */
type Pages = (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

/**
 * The console, built where its sources have changed and loaded once: at `load`, or at its first
 * request. The API does not wait for it.
 */
export function consolePages(): { readonly load: () => Promise<Pages>; readonly answer: Pages } {
  let loading: Promise<Pages> | undefined;
  const load = () =>
    loading ??= loadPages().catch((error) => {
      loading = undefined; // the next request tries again
      throw error;
    });
  return { load, answer: async (request, info) => (await load())(request, info) };
}

async function loadPages(): Promise<Pages> {
  const { buildWhenStale } = await import("../../tools/build.ts");
  await buildWhenStale();
  const built = await import(new URL("../../_fresh/server.js", import.meta.url).href);
  return built.default.fetch;
}
