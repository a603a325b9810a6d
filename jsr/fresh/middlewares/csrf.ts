import { HttpError } from "../error.ts";
import type { Middleware } from "../types.ts";

/** Refuses a changing request that another site's page sent. */
export function csrf<State>(): Middleware<State> {
  return (ctx) => {
    if (["GET", "HEAD", "OPTIONS"].includes(ctx.req.method)) return ctx.next();
    const site = ctx.req.headers.get("sec-fetch-site");
    if (site === "same-origin" || site === "none") return ctx.next();
    const sender = ctx.req.headers.get("origin");
    if (sender === null ? site === null : sender === ctx.url.origin) return ctx.next();
    throw new HttpError(403);
  };
}
