import type { AnyRouteComponent } from "./dress.ts";
import { chainTo, folderAt, newSite, type Site } from "./folder.ts";
import type { Method } from "./handlers.ts";
import { methods, methodsOf, renderRoute } from "./render_route.ts";
import { Router } from "./router.ts";
import type { LayoutConfig, MaybeLazy, Middleware, Route } from "./types.ts";

type Chain<State> = readonly MaybeLazy<Middleware<State>>[];

/** One registration, kept in order: only earlier middlewares and layouts apply to a route. */
export type Command<State> =
  | { type: "middleware"; folder: readonly string[]; chain: Chain<State> }
  | {
    type: "layout";
    folder: readonly string[];
    component: AnyRouteComponent;
    config: LayoutConfig;
  }
  | { type: "error"; folder: readonly string[]; route: Route<State> }
  | { type: "app"; component: AnyRouteComponent }
  | { type: "notFound"; route: Route<State> }
  | {
    type: "route";
    folder: readonly string[];
    path: string;
    route: MaybeLazy<Route<State>>;
  }
  | {
    type: "handlers";
    folder: readonly string[];
    path: string;
    methods: readonly Method[];
    chain: Chain<State>;
  }
  | { type: "fsRoutes" };

/** The router that results from all registrations. */
export interface Plan<State> {
  readonly router: Router<Chain<State>>;
  /** The middlewares of unmatched requests. */
  readonly rootChain: Chain<State>;
}

export function planOf<State>(
  commands: readonly Command<State>[],
  fsRoutes: () => readonly Command<State>[],
): Plan<State> {
  const site = newSite<State>();
  const router = new Router<Chain<State>>();
  const all = commands.flatMap((command) => command.type === "fsRoutes" ? fsRoutes() : [command]);
  for (const command of all) apply(command, site, router);
  return { router, rootChain: chainTo(site, site.root) };
}

/** The steps of a path, to be compared as text; `*` is the root. */
export function stepsOf(path: string): string[] {
  return path === "*" ? [] : path.split("/").filter((step) => step !== "");
}

function apply<State>(
  command: Command<State>,
  site: Site<State>,
  router: Router<Chain<State>>,
): void {
  switch (command.type) {
    case "middleware":
      folderAt(site.root, command.folder).middlewares.push(...command.chain);
      break;
    case "layout":
      folderAt(site.root, command.folder).layout = command;
      break;
    case "error":
      folderAt(site.root, command.folder).error = command.route;
      break;
    case "app":
      site.app = command.component;
      break;
    case "notFound":
      site.notFound = command.route;
      break;
    case "route":
      addRoute(command, site, router);
      break;
    case "handlers": {
      const chain = [
        ...chainTo(site, folderAt(site.root, command.folder)),
        ...command.chain,
      ];
      for (const method of command.methods) {
        router.add(method, command.path, chain);
      }
      break;
    }
    case "fsRoutes":
      break;
    default:
      command satisfies never;
  }
}

function addRoute<State>(
  { folder, path, route }: Extract<Command<State>, { type: "route" }>,
  site: Site<State>,
  router: Router<Chain<State>>,
): void {
  const before = chainTo(site, folderAt(site.root, folder));
  if (typeof route === "function") {
    const chain = [...before, lazily(route)];
    for (const method of methods) router.add(method, path, chain);
    return;
  }
  const chain: Chain<State> = [...before, (ctx) => renderRoute(ctx, route)];
  const address = route.config?.routeOverride ?? path;
  for (const method of methodsOf(route)) router.add(method, address, chain);
}

/** The first request loads a lazy route; its methods are unknown until then. */
function lazily<State>(load: () => Promise<Route<State>>): Middleware<State> {
  const loading: { route?: Promise<Route<State>> } = {};
  return async (ctx) => {
    loading.route ??= load();
    return await renderRoute(ctx, await loading.route);
  };
}
