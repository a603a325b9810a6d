import { componentOver, type Context } from "./context.ts";
import { HttpError } from "./error.ts";
import type { HandlerFn, Method, PageResponse } from "./handlers.ts";
import type { Route } from "./types.ts";

const methods = [
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
): Promise<Response> {
  const handler = handlerOf(route, methodOf(ctx.req));
  if (handler === undefined) throw new HttpError(404);
  const result = await handler(ctx);
  if (result instanceof Response) return result;
  const { component } = route;
  const { data, status } = result;
  // As in Fresh, one by one: of several cookies the last remains.
  const headers = new Headers();
  for (const [name, value] of new Headers(result.headers)) headers.set(name, value);
  // Sound: a component of this app, given the data of its own handler.
  const vnode = component ? componentOver(ctx, component as never, data) : null;
  return await ctx.render(vnode, { status, headers });
}

/** The method of a request; undefined for one that no route can have. */
export function methodOf({ method }: Request): Method | undefined {
  return methods.find((known) => known === method);
}

function handlerOf<State>(
  { handler, component }: Route<State>,
  method: Method | undefined,
): HandlerFn<unknown, State> | undefined {
  if (typeof handler === "function") return handler;
  const reads = method === "GET" || method === "HEAD";
  const own = method && handler?.[method] || (reads ? handler?.GET : undefined);
  return own ??
    (component !== undefined && (reads || handler === undefined) ? emptyPage : undefined);
}

/** A component without a handler renders with empty data. */
function emptyPage(): PageResponse<unknown> {
  return { data: {} };
}
