import type { Context } from "../context.ts";
import { HttpError } from "../error.ts";
import type { Middleware } from "../types.ts";

export interface CsrfOptions<State = unknown> {
  /** The origins that may post; by default only the site's own. */
  origin?:
    | string
    | string[]
    | ((origin: string, ctx: Context<State>) => boolean);
}

/** Refuses a changing request that another site's page sent. */
export function csrf<State>(
  { origin }: CsrfOptions<State> = {},
): Middleware<State> {
  return (ctx) => {
    if (["GET", "HEAD", "OPTIONS"].includes(ctx.req.method)) return ctx.next();
    const site = ctx.req.headers.get("sec-fetch-site");
    if (site === "same-origin" || site === "none") return ctx.next();
    const sender = ctx.req.headers.get("origin");
    if (site === null && sender === null) return ctx.next();
    if (sender !== null && isAllowed(sender, origin, ctx)) return ctx.next();
    throw new HttpError(403);
  };
}

function isAllowed<State>(
  sender: string,
  origin: CsrfOptions<State>["origin"],
  ctx: Context<State>,
): boolean {
  if (origin === undefined) return sender === ctx.url.origin;
  if (typeof origin === "function") return origin(sender, ctx);
  return Array.isArray(origin) ? origin.includes(sender) : origin === sender;
}
