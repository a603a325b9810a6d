import type { FsRoute, RouteModule } from "./build_cache.ts";
import type { Command } from "./commands.ts";
import type { AnyRouteComponent } from "./dress.ts";
import type { RouteHandler } from "./handlers.ts";
import type { MaybeLazy, Middleware, Route, RouteComponent, RouteConfig } from "./types.ts";

/** Turns the files of the routes folder into registrations. */
export function commandsOf<State>(
  routes: readonly FsRoute[],
): Command<State>[] {
  return routes.map((file) => commandOf<State>(file));
}

function commandOf<State>(file: FsRoute): Command<State> {
  const { folder } = file;
  switch (file.kind) {
    case "app":
      return { type: "app", component: componentOf(file.module) };
    case "middleware":
      return { type: "middleware", folder, chain: chainOf<State>(file.module) };
    case "layout":
      return {
        type: "layout",
        folder,
        component: componentOf(file.module),
        config: configOf(file.module),
      };
    case "error":
      return { type: "error", folder, route: routeOf<State>(file.module) };
    case "notFound":
      return { type: "notFound", route: routeOf<State>(file.module) };
    case "route": {
      const { path, load } = file;
      return {
        type: "route",
        folder,
        path,
        route: async () => routeOf<State>(await load()),
      };
    }
    default:
      return file satisfies never;
  }
}

// The casts below are sound as far as a file keeps the documented shape, which the types of
// createDefine hold it to; what is not a function is refused here.

function componentOf(module: RouteModule): AnyRouteComponent {
  if (typeof module.default === "function") {
    return module.default as AnyRouteComponent;
  }
  throw new TypeError(
    "Cannot use route file: its default export is not a component",
  );
}

function chainOf<State>(module: RouteModule): MaybeLazy<Middleware<State>>[] {
  const exported = module.handler ?? module.handlers ?? module.default;
  const chain = Array.isArray(exported) ? exported : [exported];
  if (chain.every((middleware) => typeof middleware === "function")) {
    return chain;
  }
  throw new TypeError(
    "Cannot use _middleware: it exports neither a function nor a list of them",
  );
}

function routeOf<State>(module: RouteModule): Route<State> {
  const handler = module.handler ?? module.handlers;
  return {
    component: typeof module.default === "function"
      ? module.default as RouteComponent<State>
      : undefined,
    handler: handler as RouteHandler<unknown, State> | undefined,
    config: configOf(module),
  };
}

function configOf(module: RouteModule): RouteConfig {
  return (module.config ?? {}) as RouteConfig;
}
