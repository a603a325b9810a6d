import { define } from "../../state.ts";

export default define.middleware((ctx) => {
  ctx.state.trail?.push("admin");
  if (ctx.url.searchParams.has("stranger")) return ctx.redirect("/", 303);
  return ctx.next();
});
