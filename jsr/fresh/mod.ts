/**
 * Stand-in for `fresh`: the documented subset of Fresh 2 that the console uses, with the real
 * signatures and behaviour. `jsr/README.md` says what it leaves out and how to drop it.
 */
export { App } from "./app.ts";
export type { Context } from "./context.ts";
export { HttpError } from "./error.ts";
export {
  createDefine,
  type Define,
  type HandlerByMethod,
  type HandlerFn,
  type Method,
  page,
  type PageResponse,
  type RouteHandler,
} from "./handlers.ts";
export { csp, type CSPOptions } from "./middlewares/csp.ts";
export { csrf, type CsrfOptions } from "./middlewares/csrf.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export type {
  FreshConfig,
  Island,
  LayoutConfig,
  Lazy,
  ListenOptions,
  MaybeLazy,
  Middleware,
  PageProps,
  ResolvedFreshConfig,
  RouteConfig,
} from "./types.ts";
