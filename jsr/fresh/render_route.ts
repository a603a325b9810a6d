import { backstageOf, type Context } from "./context.ts";
import { type AnyRouteComponent, renderComponent } from "./dress.ts";
import { HttpError } from "./error.ts";
import type { HandlerFn, Method, PageResponse } from "./handlers.ts";
import type { Route } from "./types.ts";

export const methods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
] as const satisfies readonly Method[];

/** Asks the handler of a route and, unless it answers itself, renders the component. */
export async function renderRoute<State>(
  ctx: Context<State>,
  route: Route<State>,
  status = 200,
): Promise<Response> {
  undress(ctx, route);
  const handler = handlerOf(route, methodOf(ctx.req));
  if (handler === null) throw new HttpError(404);
  const result = await handler(ctx);
  if (result instanceof Response) return result;
  return await renderPage(ctx, route, {
    ...result,
    status: result.status ?? status,
  });
}

/** The methods that a route answers; a function answers all. */
export function methodsOf<State>(
  { handler, component }: Route<State>,
): readonly Method[] {
  if (handler === undefined || typeof handler === "function") return methods;
  const own = methods.filter((method) => handler[method] !== undefined);
  return component === undefined || own.includes("GET") ? own : ["GET", ...own];
}

export function methodOf(request: Request): Method {
  // Sound: the router compares it with known methods only; an unknown one matches none.
  return request.method as Method;
}

function undress<State>(ctx: Context<State>, { config }: Route<State>): void {
  const backstage = backstageOf(ctx);
  const { app, layouts } = backstage.wardrobe;
  backstage.wardrobe = {
    app: config?.skipAppWrapper ? null : app,
    layouts: config?.skipInheritedLayouts ? [] : layouts,
  };
}

function handlerOf<State>(
  { handler, component }: Route<State>,
  method: Method,
): HandlerFn<unknown, State> | null {
  if (typeof handler === "function") return handler;
  if (handler === undefined) return component === undefined ? null : emptyPage;
  const own = handler[method] ?? (method === "HEAD" ? handler.GET : undefined);
  if (own !== undefined) return own;
  const asksForPage = method === "GET" || method === "HEAD";
  return component !== undefined && asksForPage ? emptyPage : null;
}

/** A component without a handler renders with empty data. */
function emptyPage(): PageResponse<unknown> {
  return { data: {} };
}

async function renderPage<State>(
  ctx: Context<State>,
  { component }: Route<State>,
  { data, status, headers }: PageResponse<unknown>,
): Promise<Response> {
  if (component === undefined) {
    return await ctx.render(null, { status, headers });
  }
  // Sound: a component of this app, given the data of its own handler.
  const vnode = await renderComponent(
    ctx,
    component as AnyRouteComponent,
    data,
  );
  return vnode instanceof Response ? vnode : await ctx.render(vnode, { status, headers });
}
