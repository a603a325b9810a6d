import { define } from "../lib/console/session/state.ts";

/** Redirects the root to the console. */
export const handler = define.handlers({ GET: (ctx) => ctx.redirect("/console", 302) });
