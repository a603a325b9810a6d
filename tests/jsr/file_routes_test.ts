import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ask } from "./site.ts";

const pages = {
  "/": "<h1>home</h1>",
  "/about": `<div class="root"><div class="group"><h1>about</h1></div></div>`,
  "/admin": `<div class="admin" title="first second admin"><h1>admin</h1></div>`,
  "/admin/members/new": "<h1>new member</h1>",
  "/admin/members/7": "<h1>member 7</h1>",
  "/docs/a/b%20c": `<html><head><meta charset="utf-8"/></head><body><h1>docs a/b c</h1></body>`,
  "/docs": `<html><head><meta charset="utf-8"/></head><body><h1>docs </h1></body>`,
  "/elsewhere/me": "<h1>me at /elsewhere/:name</h1>",
};

for (const [path, expected] of Object.entries(pages)) {
  Deno.test(`file routes: ${path}`, async () => {
    const { status, text } = await ask(path);
    assertEquals(status, 200);
    assertStringIncludes(text, expected);
  });
}

for (const path of ["/nothing", "/moved", "/part", "/(group)/about", "/admin/nothing"]) {
  Deno.test(`file routes: ${path} is no page`, async () => {
    const { status, text, headers } = await ask(path);
    assertEquals(status, 404);
    assertMatch(text, /<title>Site<\/title>.*<div class="root"><p>Nothing at/);
    assertEquals(headers.get("x-trail"), null, "a root error page is made outside the middlewares");
  });
}

Deno.test("file routes: a form posts, and its page has the status and headers of the handler", async () => {
  const body = new URLSearchParams({ name: "Ada" });
  const { status, headers, text } = await ask("/admin/members/7", { method: "POST", body });
  assertEquals(status, 422);
  assertEquals(headers.get("x-saved"), "Ada");
  assertEquals(headers.get("x-trail"), "first second admin");
  assertStringIncludes(text, "Ada</h1>");
});

Deno.test("file routes: a method without a handler is not found, as files are loaded late", async () => {
  assertEquals((await ask("/data", { method: "DELETE" })).status, 404);
  assertEquals((await ask("/data")).text, `{"method":"GET"}`);
});

Deno.test("file routes: a middleware may answer for all below its folder", async () => {
  const { status, headers } = await ask("/admin/members/7?stranger");
  assertEquals([status, headers.get("location")], [303, "/"]);
});

const errors = [
  { path: "/admin/broken", status: 500, text: "Admin error: Error: broken" },
  { path: "/admin/broken?refused", status: 403, text: "Admin error: HttpError: refused" },
  { path: "/admin/broken?missing", status: 404, text: "Nothing at /admin/broken" },
  { path: "/live_function", status: 500, text: "Root error: Error: Serializing functions" },
];

for (const { path, status, text } of errors) {
  Deno.test(`file routes: error of ${path}`, async () => {
    const answer = await ask(path);
    assertEquals(answer.status, status);
    assertStringIncludes(answer.text, text);
  });
}
