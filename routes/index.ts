import { define } from "../lib/console/session/state.ts";

/** Who opens the server's bare address wants the console. */
export const handler = define.handlers({ GET: (ctx) => ctx.redirect("/console", 302) });
