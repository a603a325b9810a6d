import { App, csp, csrf, staticFiles } from "fresh";
import { FailurePage } from "./components/layout/FailurePage.tsx";
import { serveStyleSheet } from "./lib/console/page/style_sheet.ts";
import { errorPages } from "./lib/console/session/error_pages.ts";
import { secureHeaders } from "./lib/console/session/headers.ts";
import { requestState } from "./lib/console/session/request_state.ts";
import type { ConsoleState } from "./lib/console/session/state.ts";

/** The console. Every page is a file of `routes/`; `provideAdmin` supplies its services. */
export const app: App<ConsoleState> = new App<ConsoleState>()
  .use(secureHeaders)
  .use(
    csp({
      useNonce: true,
      csp: ["base-uri 'none'", "img-src 'self'", "worker-src 'none'", "media-src 'none'"],
    }),
  )
  .use(errorPages(FailurePage))
  .use(serveStyleSheet)
  .use(staticFiles())
  .use(csrf())
  .use(requestState)
  .fsRoutes();
