import { assertEquals } from "@std/assert";
import { App, type Context, HttpError, page, type PageProps } from "fresh";
import { h } from "preact";

type State = { trail?: string };
type Case = {
  readonly name: string;
  readonly app: App<State>;
  readonly path: string;
  readonly method?: string;
  readonly status?: number;
  readonly text?: string;
};

const site = () => new App<State>();
const mark = (name: string) => async <T extends State>(ctx: Context<T>) => {
  ctx.state.trail = (ctx.state.trail ?? "") + name;
  return await ctx.next();
};
const trail = (ctx: Context<State>) => ctx.text(`${ctx.state.trail}`);
const where = (ctx: Context<State>) => ctx.text(`${ctx.route} ${JSON.stringify(ctx.params)}`);
const say = (text: string) => (ctx: Context<State>) => ctx.text(text);
const fail = (error: unknown) => () => {
  throw error;
};
const layout = (name: string) => ({ Component }: PageProps<unknown, State>) =>
  h("div", { class: name }, h(Component, null));
const title = (ctx: Context<State>) => ctx.render(h("h1", null, "page"));

const cases: readonly Case[] = [
  {
    name: "use: a route takes only the middlewares registered before it",
    app: site().use(mark("a")).get("/", trail).use(mark("b")),
    path: "/",
    text: "a",
  },
  {
    name: "use: an unmatched address runs every root middleware",
    app: site().use(mark("a")).use("/x", mark("x")).use(mark("b")).notFound(trail),
    path: "/x",
    text: "ab",
  },
  {
    name: "use: a path covers itself and what is below, outer ones first",
    app: site().use("/x", mark("x")).use(mark("a")).get("/x/y", trail),
    path: "/x/y",
    text: "ax",
  },
  {
    name: "use: paths are compared as text of routes, not as addresses",
    app: site().use("/x", mark("x")).get("/:any/y", trail),
    path: "/x/y",
    text: "undefined",
  },
  {
    name: "get: several middlewares, the last one answers",
    app: site().get("/", mark("1"), mark("2"), trail),
    path: "/",
    text: "12",
  },
  {
    name: "route: a literal path beats a pattern",
    app: site().get("/:id", say("pattern")).get("/a", say("literal")),
    path: "/a",
    text: "literal",
  },
  {
    name: "route: of patterns the first registered wins",
    app: site().get("/*", say("first")).get("/:id", say("second")),
    path: "/a",
    text: "first",
  },
  {
    name: "route: a literal path answers with a final slash",
    app: site().get("/a", where),
    path: "/a/",
    text: "/a {}",
  },
  {
    name: "route: a pattern does not",
    app: site().get("/a/:b", where),
    path: "/a/1/",
    status: 404,
    text: "Not Found",
  },
  {
    name: "route: runs of slashes are one",
    app: site().get("/a/b", where),
    path: "//a///b",
    text: "/a/b {}",
  },
  {
    name: "params: decoded, but for the slash",
    app: site().get("/:a", where),
    path: "/x%2Fy%20%C3%A9",
    text: '/:a {"a":"x%2Fy é"}',
  },
  {
    name: "params: a broken escape stays as it is",
    app: site().get("/:a", where),
    path: "/%ff",
    text: '/:a {"a":"%ff"}',
  },
  {
    name: "method: another one on a known path",
    app: site().get("/", say("x")),
    path: "/",
    method: "POST",
    status: 405,
    text: "Method Not Allowed",
  },
  {
    name: "method: HEAD is GET without its body",
    app: site().get("/", say("x")),
    path: "/",
    method: "HEAD",
    text: "",
  },
  {
    name: "method: OPTIONS lists the others",
    app: site().get("/", say("x")),
    path: "/",
    method: "OPTIONS",
    status: 204,
    text: "",
  },
  {
    name: "error: without an error route, the message of an HttpError",
    app: site().get("/", fail(new HttpError(403, "not yours"))),
    path: "/",
    status: 403,
    text: "not yours",
  },
  {
    name: "error: without a message, the words of its status",
    app: site().get("/", fail(new HttpError(404))),
    path: "/",
    status: 404,
    text: "Not Found",
  },
  {
    name: "error: the nearest error route answers",
    app: site().onError("*", say("root")).onError("/a", say("near")).get("/a/b", fail(new Error())),
    path: "/a/b",
    text: "near",
  },
  {
    name: "error: an error page has the status of the error",
    app: site().onError("*", { component: ({ error }) => h("p", null, String(error)) })
      .get("/", fail(new HttpError(409, "taken"))),
    path: "/",
    status: 409,
    text: document("<p>HttpError: taken</p>"),
  },
  {
    name: "notFound: a component alone answers with 200",
    app: site().notFound({ component: () => h("p", null, "nothing") }),
    path: "/x",
    status: 200,
    text: document("<p>nothing</p>"),
  },
  {
    name: "notFound: its handler may set the status",
    app: site().notFound({
      component: () => h("p", null, "nothing"),
      handler: () => page({}, { status: 404 }),
    }),
    path: "/x",
    status: 404,
    text: document("<p>nothing</p>"),
  },
  {
    name: "layout: from outer to inner, the app around them",
    app: site().appWrapper(layout("app")).layout("*", layout("outer")).layout("/a", layout("inner"))
      .get("/a/b", title),
    path: "/a/b",
    text: document(
      `<div class="app"><div class="outer"><div class="inner"><h1>page</h1></div></div></div>`,
    ),
  },
  {
    name: "layout: one may skip those around it",
    app: site().appWrapper(layout("app")).layout("*", layout("outer"))
      .layout("/a", layout("inner"), { skipInheritedLayouts: true }).get("/a/b", title),
    path: "/a/b",
    text: document(`<div class="app"><div class="inner"><h1>page</h1></div></div>`),
  },
  {
    name: "component: without a handler its data is empty",
    app: site().route("/", { component: ({ data }) => h("p", null, JSON.stringify(data)) }),
    path: "/",
    text: document("<p>{}</p>"),
  },
  {
    name: "component: an async one may answer with a Response",
    app: site().route("/", { component: () => Promise.resolve(new Response("raw")) })
      .route("/a", {
        component: async () => await Promise.resolve(new Response("raw", { status: 202 })),
      }),
    path: "/a",
    status: 202,
    text: "raw",
  },
  {
    name: "stream: texts and bytes in order",
    app: site().get("/", (ctx) =>
      ctx.stream(async function* () {
        yield "a";
        yield await Promise.resolve(new Uint8Array([98]));
      })),
    path: "/",
    text: "ab",
  },
];

for (const { name, app, path, method = "GET", status = 200, text } of cases) {
  Deno.test(`app, ${name}`, async () => {
    const response = await app.handler()(new Request(`http://localhost${path}`, { method }));
    assertEquals(response.status, status);
    assertEquals(await response.text(), text);
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
    const app = site().get("/", (ctx) => ctx.redirect(target, 303));
    const response = await app.handler()(new Request("http://localhost/"));
    assertEquals([response.status, response.headers.get("location")], [303, location]);
  });
}

Deno.test("app, trustProxy: only then a forwarded origin counts", async () => {
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "console.test" };
  const origin = async (app: App<State>) => {
    const handler = app.get("/", (ctx) => ctx.text(ctx.url.origin)).handler();
    return await (await handler(new Request("http://localhost/", { headers }))).text();
  };
  assertEquals(await origin(site()), "http://localhost");
  assertEquals(await origin(new App<State>({ trustProxy: true })), "https://console.test");
});

function document(body: string): string {
  return `<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body>${body}</body></html>`;
}
