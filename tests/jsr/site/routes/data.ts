import { define } from "../state.ts";

export const handler = define.handlers({
  GET: (ctx) => Response.json({ method: ctx.req.method }),
});
