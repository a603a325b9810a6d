import { type Context, HttpError, type Middleware } from "fresh";
import type { VNode } from "preact";
import { GatewayError } from "../../canonical/mod.ts";
import { RoleRefused } from "./access.ts";
import { readOnlySession } from "./impersonation.ts";

/** The cause of a failed request: a status, or something more specific. */
export type FailureCause = number | typeof readOnlySession | "store_unavailable" | RoleRefused;

/** Draws the page of a failed request. */
type DrawFailure = (
  failure: { readonly request: Request; readonly url: URL; readonly cause: FailureCause },
) => VNode;

/**
 * Converts every thrown error to a page. A middleware, because Fresh renders its own error pages
 * outside all middleware, without our headers.
 */
export function errorPages<State>(draw: DrawFailure): Middleware<State> {
  return async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      return await failureOf(ctx, error, draw);
    }
  };
}

async function failureOf<State>(
  ctx: Context<State>,
  error: unknown,
  draw: DrawFailure,
): Promise<Response> {
  const status = statusOf(error);
  const isStore = error instanceof GatewayError && error.code === "store_unavailable";
  if (status >= 500 && !isStore) report(ctx, error); // the store's health is reported once
  if (ctx.req.headers.get("accept") === "application/json") {
    return Response.json({ status }, { status });
  }
  const cause = causeOf(error, status);
  return await ctx.render(draw({ request: ctx.req, url: ctx.url, cause }), { status }, {
    skipAppWrapper: true,
    skipInheritedLayouts: true,
  });
}

function causeOf(error: unknown, status: number): FailureCause {
  if (error instanceof RoleRefused) return error;
  if (error instanceof GatewayError && error.code === "store_unavailable") return error.code;
  const isReadOnly = error instanceof HttpError && error.message === readOnlySession;
  return isReadOnly ? readOnlySession : status;
}

/** The status of an error. A full queue of password checks is no internal error. */
function statusOf(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  if (!(error instanceof GatewayError)) return 500;
  if (error.code === "store_unavailable") return 503;
  return error.code === "rate_limit_exceeded" ? 429 : 500;
}

/** Logs the path without its query, because an address may contain the token of a set-up link. */
function report<State>(ctx: Context<State>, error: unknown): void {
  const what = error instanceof Error ? error.stack ?? error.message : String(error);
  console.error(`Console: ${ctx.req.method} ${ctx.route ?? "unknown route"} failed: ${what}`);
}
