import type { Context } from "./context.ts";
import type { Middleware, PageProps, RouteComponent } from "./types.ts";

export type Method =
  | "GET"
  | "POST"
  | "PUT"
  | "PATCH"
  | "DELETE"
  | "HEAD"
  | "OPTIONS";

export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit;
  status?: number;
}

export type HandlerFn<Data, State> = (
  ctx: Context<State>,
) => Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;

export type RouteHandler<Data, State> =
  | HandlerFn<Data, State>
  | { [M in Method]?: HandlerFn<Data, State> };

/** Makes the route render its component with this data. */
export function page<T>(
  data: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T> {
  return { data, ...options };
}

/** Identity functions that carry the types of a route file. */
interface Define<State> {
  handlers<Handlers extends RouteHandler<unknown, State>>(
    handlers: Handlers,
  ): Handlers;
  page<
    Handler extends RouteHandler<unknown, State> = never,
    Data = [Handler] extends [never] ? unknown : PageData<Handler>,
  >(render: (props: PageProps<Data, State>) => ReturnType<RouteComponent<State>>): typeof render;
  middleware<M extends Middleware<State> | Middleware<State>[]>(
    middleware: M,
  ): M;
}

export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    middleware: (middleware) => middleware,
  };
}

/** The page data that a handler, or any method of it, returns. */
type PageData<Handler> = Handler extends (ctx: never) => infer Result ? DataOf<Awaited<Result>>
  : { [M in keyof Handler]: PageData<Handler[M]> }[keyof Handler];

type DataOf<Result> = Result extends PageResponse<infer Data> ? Data : never;
