import { define } from "../state.ts";

export const handler = define.handlers({ GET: (ctx) => ctx.json({ method: ctx.req.method }) });
