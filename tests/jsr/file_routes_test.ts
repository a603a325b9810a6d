import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ask } from "./site.ts";

const pages = {
  "/": "<h1>home</h1>",
  "/about/": "<h1>about</h1>",
  "//admin///members/7": "<h1>member 7</h1>",
  "/admin": "<h1>admin</h1>",
  "/admin/members/new": "<h1>new member</h1>",
  "/admin/members/x%2Fy%20%C3%A9": "<h1>member x%2Fy é</h1>",
  "/docs/a/b%20c": "<h1>docs a/b c at /docs/:path*</h1>",
  "/docs": "<h1>docs  at /docs/:path*</h1>",
};

for (const [path, expected] of Object.entries(pages)) {
  Deno.test(`file routes: ${path}`, async () => {
    const { status, text } = await ask(path);
    assertEquals(status, 200);
    assertStringIncludes(text, `<title data-key="tab">Site</title>`);
    assertStringIncludes(text, expected);
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

Deno.test("file routes: no middleware sees an unknown method, or an address that is no UTF-8", async () => {
  const { status, text } = await ask("/data", { method: "PROPFIND" });
  assertEquals([status, text], [500, "Internal server error"]);
  await assertRejects(() => ask("/admin/members/%ff"), URIError);
});

Deno.test("file routes: a middleware may answer for all below its folder", async () => {
  const { status, headers } = await ask("/admin/members/7?stranger");
  assertEquals([status, headers.get("location")], [303, "/"]);
});

const errors = [
  { path: "/nothing", status: 404, text: "null failed: HttpError" },
  { path: "/admin/members/7/", status: 404, text: "null failed: HttpError" },
  { path: "/admin/broken", status: 500, text: "/admin/broken failed: Error: broken" },
  { path: "/admin/broken?refused", status: 403, text: "HttpError: refused" },
  { path: "/live_function", status: 500, text: "Error: Serializing functions" },
];

for (const { path, status, text } of errors) {
  Deno.test(`file routes: error of ${path}`, async () => {
    const answer = await ask(path);
    assertEquals(answer.status, status);
    assertStringIncludes(answer.text, text);
    assertEquals(answer.text.includes("Site</title>"), false, "without the app around it");
  });
}
