import { assertEquals } from "@std/assert";
import { App, type Context, HttpError } from "fresh";

type State = { trail?: string };

const mark = (name: string) => async (ctx: Context<State>) => {
  ctx.state.trail = (ctx.state.trail ?? "") + name;
  return await ctx.next();
};
const trail = (ctx: Context<State>) => new Response(ctx.state.trail);
const fail = (error: unknown) => () => {
  throw error;
};

const cases = [
  { name: "middlewares run in order", app: new App<State>().use(mark("a"), mark("b")).use(trail) },
  {
    name: "an unmatched address runs the middlewares after the routes, too",
    app: new App<State>().use(mark("a")).fsRoutes().use(mark("b")).use(trail),
  },
  {
    name: "an error without a handler is its message",
    app: new App<State>().use(fail(new HttpError(403, "not yours"))),
    status: 403,
    text: "not yours",
  },
  { name: "no route", app: new App<State>().use(mark("a")), status: 404, text: "Not Found" },
  {
    name: "HEAD is GET without its body",
    app: new App<State>().use(mark("a")).use(trail),
    method: "HEAD",
    text: "",
  },
];

for (const { name, app, method = "GET", status = 200, text = "ab" } of cases) {
  Deno.test(`app: ${name}`, async () => {
    const response = await app.handler()(new Request("http://localhost/x", { method }));
    assertEquals([response.status, await response.text()], [status, text]);
  });
}

const redirects = {
  "/a//b?next=//y": "/a/b?next=//y",
  "//evil.test/path": "/evil.test/path",
  "https://example.test/x": "https://example.test/x",
  "relative": "relative",
};

for (const [target, location] of Object.entries(redirects)) {
  Deno.test(`redirect: ${target}`, async () => {
    const app = new App<State>().use((ctx) => ctx.redirect(target, 303));
    const response = await app.handler()(new Request("http://localhost/"));
    assertEquals([response.status, response.headers.get("location")], [303, location]);
  });
}
