import { type BuildCache, buildCacheOf } from "./build_cache.ts";
import { runChain } from "./chain.ts";
import { type Command, type Plan, planOf, stepsOf } from "./commands.ts";
import { Context } from "./context.ts";
import type { AnyRouteComponent } from "./dress.ts";
import { HttpError } from "./error.ts";
import { commandsOf } from "./fs_routes.ts";
import type { Method } from "./handlers.ts";
import { methodOf, methods } from "./render_route.ts";
import type {
  FreshConfig,
  LayoutConfig,
  MaybeLazy,
  Middleware,
  ResolvedFreshConfig,
  Route,
  RouteComponent,
} from "./types.ts";

export type FetchHandler = (
  request: Request,
  info?: Deno.ServeHandlerInfo,
) => Promise<Response>;

/** Routes, middlewares and layouts in the order of their registration. */
export class App<State> {
  readonly config: ResolvedFreshConfig;
  readonly #commands: Command<State>[] = [];

  constructor(config: FreshConfig = {}) {
    this.config = {
      root: "",
      basePath: "",
      mode: "production",
      trustProxy: false,
      ...config,
    };
  }

  use(...middleware: MaybeLazy<Middleware<State>>[]): this;
  use(path: string, ...middleware: MaybeLazy<Middleware<State>>[]): this;
  use(
    pathOrMiddleware: string | MaybeLazy<Middleware<State>>,
    ...rest: MaybeLazy<Middleware<State>>[]
  ): this {
    return typeof pathOrMiddleware === "string"
      ? this.#add({
        type: "middleware",
        folder: stepsOf(pathOrMiddleware),
        chain: rest,
      })
      : this.#add({
        type: "middleware",
        folder: [],
        chain: [pathOrMiddleware, ...rest],
      });
  }

  get(path: string, ...chain: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["GET"], path, chain);
  }

  post(path: string, ...chain: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["POST"], path, chain);
  }

  put(path: string, ...chain: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["PUT"], path, chain);
  }

  patch(path: string, ...chain: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["PATCH"], path, chain);
  }

  delete(path: string, ...chain: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["DELETE"], path, chain);
  }

  head(path: string, ...chain: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["HEAD"], path, chain);
  }

  all(path: string, ...chain: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(methods, path, chain);
  }

  route(path: string, route: MaybeLazy<Route<State>>): this {
    return this.#add({ type: "route", folder: stepsOf(path), path, route });
  }

  layout(
    path: string,
    component: RouteComponent<State>,
    config: LayoutConfig = {},
  ): this {
    return this.#add({
      type: "layout",
      folder: stepsOf(path),
      component: any(component),
      config,
    });
  }

  appWrapper(component: RouteComponent<State>): this {
    return this.#add({ type: "app", component: any(component) });
  }

  notFound(route: Route<State> | Middleware<State>): this {
    return this.#add({ type: "notFound", route: routeOf(route) });
  }

  onError(path: string, route: Route<State> | Middleware<State>): this {
    return this.#add({
      type: "error",
      folder: stepsOf(path),
      route: routeOf(route),
    });
  }

  /** Marks the position of the built file routes among the registrations. */
  fsRoutes(): this {
    return this.#add({ type: "fsRoutes" });
  }

  handler(): FetchHandler {
    const cache = buildCacheOf(this);
    const plan = planOf(
      this.#commands,
      () => cache === null ? [] : commandsOf(cache.routes),
    );
    return (request, info = localInfo) =>
      answer(request, { info, plan, cache, config: this.config });
  }

  #handle(
    of: readonly Method[],
    path: string,
    chain: MaybeLazy<Middleware<State>>[],
  ): this {
    return this.#add({
      type: "handlers",
      folder: stepsOf(path),
      path,
      methods: of,
      chain,
    });
  }

  #add(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }
}

interface Site<State> {
  readonly info: Deno.ServeHandlerInfo;
  readonly plan: Plan<State>;
  readonly cache: BuildCache | null;
  readonly config: ResolvedFreshConfig;
}

async function answer<State>(
  request: Request,
  site: Site<State>,
): Promise<Response> {
  const { plan, ...parts } = site;
  const url = urlOf(request, site.config.trustProxy);
  const method = methodOf(request);
  const match = plan.router.match(method, url.pathname);
  if (match !== null && match.item === null && method === "OPTIONS") {
    return new Response(null, {
      status: 204,
      headers: { allow: match.methods.join(", ") },
    });
  }
  const { route, params } = match ??
    { route: null, params: Object.create(null) };
  const last = () => Promise.reject(new HttpError(match === null || match.item ? 404 : 405));
  const ctx = new Context<State>({
    ...parts,
    request,
    url,
    route,
    params,
    next: last,
  });
  try {
    return bodyFor(
      method,
      await runChain(match?.item ?? plan.rootChain, ctx, last),
    );
  } catch (error) {
    return bodyFor(method, plainError(error));
  }
}

/** Collapses repeated slashes, so that each path has one form. */
function urlOf(request: Request, trustProxy: boolean): URL {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/\/{2,}/g, "/");
  if (!trustProxy) return url;
  const protocol = request.headers.get("x-forwarded-proto");
  if (protocol !== null) url.protocol = protocol;
  const host = request.headers.get("x-forwarded-host");
  if (host !== null) url.host = host;
  return url;
}

function bodyFor(method: Method, response: unknown): Response {
  if (!(response instanceof Response)) {
    return plainError(
      new TypeError(`Expected a Response, but got: ${String(response)}`),
    );
  }
  return method === "HEAD" ? new Response(null, response) : response;
}

function plainError(error: unknown): Response {
  if (error instanceof HttpError) {
    const text = error.message || (statusText.get(error.status) ?? "Error");
    return new Response(text, { status: error.status });
  }
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}

const statusText: ReadonlyMap<number, string> = new Map([
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [409, "Conflict"],
  [413, "Content Too Large"],
  [415, "Unsupported Media Type"],
  [422, "Unprocessable Entity"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [503, "Service Unavailable"],
]);

function routeOf<State>(route: Route<State> | Middleware<State>): Route<State> {
  return typeof route === "function" ? { handler: route } : route;
}

function any<State>(component: RouteComponent<State>): AnyRouteComponent {
  // Sound: the component only ever meets contexts of this app, whose state is its own.
  return component as AnyRouteComponent;
}

const localInfo: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};
