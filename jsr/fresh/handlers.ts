import type { Context } from "./context.ts";
import type { Middleware, PageProps, PageResult } from "./types.ts";

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

export type HandlerByMethod<Data, State> = {
  [M in Method]?: HandlerFn<Data, State>;
};

export type RouteHandler<Data, State> =
  | HandlerFn<Data, State>
  | HandlerByMethod<Data, State>;

/** Makes the route render its component with this data. */
export function page(): PageResponse<undefined>;
export function page<T>(
  data: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T>;
export function page(
  data?: unknown,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<unknown> {
  return { data, status: options?.status, headers: options?.headers };
}

/** Identity functions that carry the types of a route file. */
export interface Define<State> {
  handlers<Handlers extends RouteHandler<unknown, State>>(
    handlers: Handlers,
  ): Handlers;
  page<
    Handler extends RouteHandler<unknown, State> = never,
    Data = [Handler] extends [never] ? unknown : PageData<Handler>,
  >(render: (props: PageProps<Data, State>) => PageResult): typeof render;
  layout(render: (props: PageProps<unknown, State>) => PageResult): typeof render;
  middleware<M extends Middleware<State> | Middleware<State>[]>(
    middleware: M,
  ): M;
}

export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    layout: (render) => render,
    middleware: (middleware) => middleware,
  };
}

/** The page data that a handler, or any method of it, returns. */
type PageData<Handler> = Handler extends (ctx: never) => infer Result ? DataOf<Awaited<Result>>
  : { [M in keyof Handler]: PageData<Handler[M]> }[keyof Handler];

type DataOf<Result> = Result extends PageResponse<infer Data> ? Data : never;
