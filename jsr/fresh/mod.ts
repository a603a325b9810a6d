/**
 * Stand-in for `fresh`: the documented subset of Fresh 2 that the console uses, with the real
 * signatures and behaviour. `jsr/README.md` says what it leaves out and how to drop it.
 */
export { App } from "./app.ts";
export type { Context } from "./context.ts";
export { HttpError } from "./error.ts";
export { createDefine, page, type PageResponse } from "./handlers.ts";
export { csp } from "./middlewares/csp.ts";
export { csrf } from "./middlewares/csrf.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export type { Middleware, PageProps } from "./types.ts";
