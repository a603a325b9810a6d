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
  return guarded(built.default.fetch);
}

/** Keeps from Fresh what it fails at before any page can answer: other methods, and bad UTF-8. */
export function guarded(pages: Pages): Pages {
  return async (request, info) => {
    if (methods.includes(request.method)) return await pages(legible(request), info);
    const headers = { allow: methods.join(", ") };
    return new Response("Method Not Allowed", { status: 405, headers });
  };
}

const methods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The request, whose path decodes: `%ff` becomes `%25ff`. */
function legible(request: Request): Request {
  const url = new URL(request.url);
  try {
    decodeURI(url.pathname);
    return request;
  } catch {
    url.pathname = url.pathname.replaceAll("%", "%25");
    return new Request(url, request);
  }
}
