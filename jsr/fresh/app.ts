import { STATUS_CODES } from "node:http";
import { buildCacheOf } from "./build_cache.ts";
import { runChain } from "./chain.ts";
import { Context, type Site } from "./context.ts";
import { HttpError } from "./error.ts";
import { addRoutes } from "./fs_routes.ts";
import { methodOf } from "./render_route.ts";
import { Router } from "./router.ts";
import type { Middleware } from "./types.ts";

type FetchHandler = (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

/** Middlewares, and the file routes after them. */
export class App<State> {
  readonly #middlewares: Middleware<State>[] = [];
  #beforeRoutes: readonly Middleware<State>[] = [];

  use(...middleware: Middleware<State>[]): this {
    this.#middlewares.push(...middleware);
    return this;
  }

  /** Adds the built file routes; only the middlewares before this call apply to them. */
  fsRoutes(): this {
    this.#beforeRoutes = [...this.#middlewares];
    return this;
  }

  handler(): FetchHandler {
    const cache = buildCacheOf(this);
    const router = new Router<readonly Middleware<State>[]>();
    const app = addRoutes(router, cache?.routes ?? [], this.#beforeRoutes);
    const site = { cache, app };
    return (request, info = localInfo) =>
      answer(request, { info, site, router, rootChain: this.#middlewares });
  }
}

interface Parts<State> {
  readonly info: Deno.ServeHandlerInfo;
  readonly site: Site;
  readonly router: Router<readonly Middleware<State>[]>;
  /** The middlewares of unmatched requests. */
  readonly rootChain: readonly Middleware<State>[];
}

async function answer<State>(
  request: Request,
  { info, site, router, rootChain }: Parts<State>,
): Promise<Response> {
  const url = urlOf(request);
  const method = methodOf(request);
  const match = router.match(url.pathname);
  const { route, params } = match ?? { route: null, params: {} };
  const last = () => Promise.reject(new HttpError(404));
  const ctx = new Context<State>({ info, request, url, route, params, next: last, site });
  try {
    if (match !== null && method === undefined) throw new TypeError("handler is not a function");
    const response = await runChain(match?.item ?? rootChain, ctx, last);
    return method === "HEAD" ? new Response(null, response) : response;
  } catch (error) {
    return plainError(error);
  }
}

/** Collapses repeated slashes, so that each path has one form. */
function urlOf(request: Request): URL {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/\/{2,}/g, "/");
  return url;
}

/** The answer to an error that no middleware handled. */
function plainError(error: unknown): Response {
  if (error instanceof HttpError) {
    return new Response(error.message || STATUS_CODES[error.status], { status: error.status });
  }
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}

const localInfo: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};
