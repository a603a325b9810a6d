import { App, csp, csrf, staticFiles } from "fresh";
import type { SiteState } from "./state.ts";

export const app: App<SiteState> = new App<SiteState>()
  .use(csp({ useNonce: true }))
  .use(csrf())
  .use(staticFiles())
  .fsRoutes();
