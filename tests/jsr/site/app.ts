import { App, type Context, csp, csrf, HttpError, staticFiles } from "fresh";
import { h } from "preact";
import type { SiteState } from "./state.ts";

async function errorPages(ctx: Context<SiteState>): Promise<Response> {
  try {
    return await ctx.next();
  } catch (error) {
    const status = error instanceof HttpError ? error.status : 500;
    const page = h("p", null, `${ctx.route} failed: ${error}`);
    return await ctx.render(page, { status }, { skipAppWrapper: true, skipInheritedLayouts: true });
  }
}

export const app: App<SiteState> = new App<SiteState>()
  .use(csp({ useNonce: true }))
  .use(errorPages)
  .use(csrf())
  .use(staticFiles())
  .fsRoutes();
