import { App, csp, csrf, staticFiles } from "fresh";
import { errorPages } from "./error_pages.tsx";
import { secureHeaders } from "./session/headers.ts";
import { requestState } from "./session/request_state.ts";
import type { ConsoleState } from "./session/state.ts";

/** The console. Every page is a file of `routes/`; `provideConsole` supplies its services. */
export const app: App<ConsoleState> = new App<ConsoleState>()
  .use(secureHeaders)
  .use(
    csp({
      useNonce: true,
      csp: ["base-uri 'none'", "img-src 'self'", "worker-src 'none'", "media-src 'none'"],
    }),
  )
  .use(errorPages)
  .use(staticFiles())
  .use(csrf())
  .use(requestState)
  .fsRoutes();
