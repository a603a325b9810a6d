import { define } from "../state.ts";

export default define.middleware([
  async (ctx) => {
    ctx.state.trail = ["first"];
    const response = await ctx.next();
    response.headers.set("x-trail", ctx.state.trail.join(" "));
    return response;
  },
  (ctx) => {
    ctx.state.trail?.push("second");
    return ctx.next();
  },
]);
