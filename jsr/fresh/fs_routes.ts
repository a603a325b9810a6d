import type { FsRoute, RouteModule } from "./build_cache.ts";
import type { AppComponent } from "./context.ts";
import type { RouteHandler } from "./handlers.ts";
import { renderRoute } from "./render_route.ts";
import type { Router } from "./router.ts";
import type { Middleware, Route, RouteComponent } from "./types.ts";

/** Adds the files of the routes folder to a router; returns the component around every page. */
export function addRoutes<State>(
  router: Router<readonly Middleware<State>[]>,
  routes: readonly FsRoute[],
  root: readonly Middleware<State>[],
): AppComponent | null {
  let app: AppComponent | null = null;
  const folders = new Map<string, readonly Middleware<State>[]>();
  for (const file of routes) {
    if (file.kind === "route") {
      const above = ["", ...file.folder.map((_, at) => file.folder.slice(0, at + 1).join("/"))];
      const middlewares = above.flatMap((folder) => folders.get(folder) ?? []);
      router.add(file.path, [...root, ...middlewares, lazily(file.load)]);
    } else if (file.kind === "middleware") {
      folders.set(file.folder.join("/"), chainOf(file.module));
    } else app = componentOf(file.module);
  }
  return app;
}

/** The first request loads a route; its methods are unknown until then. */
function lazily<State>(load: () => Promise<RouteModule>): Middleware<State> {
  let loading: Promise<RouteModule> | undefined;
  return async (ctx) => renderRoute(ctx, routeOf<State>(await (loading ??= load())));
}

// The casts below are sound as far as a file keeps the documented shape, which the types of
// createDefine hold it to; what is not a function is refused here.

function componentOf(module: RouteModule): AppComponent {
  if (typeof module.default === "function") return module.default as AppComponent;
  throw new TypeError("Cannot use route file: its default export is not a component");
}

function chainOf<State>({ default: exported }: RouteModule): Middleware<State>[] {
  const chain = Array.isArray(exported) ? exported : [exported];
  if (chain.every((middleware) => typeof middleware === "function")) return chain;
  throw new TypeError("Cannot use _middleware: it exports neither a function nor a list of them");
}

function routeOf<State>({ default: component, handler }: RouteModule): Route<State> {
  return {
    component: typeof component === "function" ? component as RouteComponent<State> : undefined,
    handler: handler as RouteHandler<unknown, State> | undefined,
  };
}
