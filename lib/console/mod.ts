import { lazy } from "../lazy.ts";

/** The handler of the console's requests. */
type Pages = (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

/**
 * The console. `build` brings it up to date; `load` or the first request loads it once. The API
 * does not wait for it.
 */
export function consolePages(
  build: () => Promise<void>,
): { readonly load: () => Promise<Pages>; readonly answer: Pages } {
  const load = lazy(() => loadPages(build));
  return { load, answer: async (request, info) => (await load())(request, info) };
}

async function loadPages(build: () => Promise<void>): Promise<Pages> {
  await build();
  const built = await import(new URL("../../_fresh/server.js", import.meta.url).href);
  return built.default.fetch;
}
