import { backstageOf } from "./context.ts";
import type { AnyRouteComponent } from "./dress.ts";
import { HttpError } from "./error.ts";
import { renderRoute } from "./render_route.ts";
import type { LayoutConfig, MaybeLazy, Middleware, Route } from "./types.ts";

/** One step of a route's text, with what was registered for it and for all below it. */
export interface Folder<State> {
  readonly parent: Folder<State> | null;
  readonly children: Map<string, Folder<State>>;
  readonly middlewares: MaybeLazy<Middleware<State>>[];
  layout: Layout | null;
  error: Route<State> | null;
}

export interface Layout {
  readonly component: AnyRouteComponent;
  readonly config: LayoutConfig;
}

/** The folder tree of an app, its app component and its 404 page. */
export interface Site<State> {
  readonly root: Folder<State>;
  app: AnyRouteComponent | null;
  notFound: Route<State> | null;
}

export function newSite<State>(): Site<State> {
  return { root: newFolder<State>(null), app: null, notFound: null };
}

/** The folder of these steps, made where it is missing; steps are compared as text. */
export function folderAt<State>(
  root: Folder<State>,
  steps: readonly string[],
): Folder<State> {
  let folder = root;
  for (const step of steps) {
    const child = folder.children.get(step) ?? newFolder(folder);
    folder.children.set(step, child);
    folder = child;
  }
  return folder;
}

/** The middlewares registered so far for a route of this folder, outermost first. */
export function chainTo<State>(
  site: Site<State>,
  folder: Folder<State>,
): MaybeLazy<Middleware<State>>[] {
  const outer = folder.parent === null ? [] : chainTo(site, folder.parent);
  return [...outer, guard(site, folder), ...folder.middlewares];
}

function newFolder<State>(parent: Folder<State> | null): Folder<State> {
  return {
    parent,
    children: new Map(),
    middlewares: [],
    layout: null,
    error: null,
  };
}

/** Adds a folder's layout to the routes below it, and answers their errors. */
function guard<State>(
  site: Site<State>,
  { parent, layout, error }: Folder<State>,
): Middleware<State> {
  const app = parent === null ? site.app : null;
  return async (ctx) => {
    const backstage = backstageOf(ctx);
    const before = backstage.wardrobe;
    const outer = { app: app ?? before.app, layouts: before.layouts };
    const here = layout === null ? outer : {
      app: layout.config.skipAppWrapper ? null : outer.app,
      layouts: [
        ...(layout.config.skipInheritedLayouts ? [] : outer.layouts),
        layout.component,
      ],
    };
    backstage.wardrobe = here;
    try {
      return await ctx.next();
    } catch (thrown) {
      backstage.wardrobe = here;
      const status = thrown instanceof HttpError ? thrown.status : 500;
      if (status === 404 && site.notFound !== null) {
        return await renderRoute(ctx, site.notFound);
      }
      if (error !== null) return await renderRoute(ctx, error, status);
      throw thrown;
    } finally {
      backstage.wardrobe = before;
    }
  };
}
