import { assert, assertEquals, assertMatch } from "@std/assert";
import { ask, siteRoot } from "./site.ts";

const uncached = "no-cache, no-store, max-age=0, must-revalidate";

Deno.test("staticFiles: content, type, tag and length", async () => {
  const { status, headers, text } = await ask("/style.css");
  assertEquals(status, 200);
  const content = await Deno.readTextFile(`${siteRoot}/static/style.css`);
  assertEquals(text, content);
  assertEquals(headers.get("content-type"), "text/css; charset=UTF-8");
  assertEquals(headers.get("content-length"), String(content.length));
  assertEquals(headers.get("cache-control"), uncached);
  assertMatch(headers.get("etag") ?? "", /^W\/"[0-9a-f]{64}"$/);
});

Deno.test("staticFiles: the same tag is answered without a body", async () => {
  const etag = (await ask("/style.css")).headers.get("etag");
  assert(etag);
  const same = await ask("/style.css", { headers: { "if-none-match": etag } });
  assertEquals([same.status, same.text], [304, ""]);
  const other = await ask("/style.css", { headers: { "if-none-match": 'W/"other"' } });
  assertEquals(other.status, 200);
});

Deno.test("staticFiles: the address of this build is cached for ever, that of another redirects", async () => {
  const locked = /href="(\/logo\.svg\?[^"]+)"/.exec((await ask("/head")).text)?.[1];
  assert(locked);
  const current = await ask(locked);
  assertEquals(current.headers.get("cache-control"), "public, max-age=31536000, immutable");
  const old = await ask("/logo.svg?__frsh_c=old&z=1");
  assertEquals([old.status, old.headers.get("location")], [307, "/logo.svg?z=1"]);
});

const statuses = [
  { path: "/with%20space.txt", status: 200 },
  { path: "/.hidden", status: 404 },
  { path: "/../app.ts", status: 404 },
  { path: "/%2e%2e%2fapp.ts", status: 404 },
  { path: "/%ff", status: 404 },
  { path: "/favicon.ico", status: 404 },
  { path: "/style.css", method: "POST", status: 405 },
  { path: "/style.css", method: "HEAD", status: 200 },
];

for (const { path, method = "GET", status } of statuses) {
  Deno.test(`staticFiles: ${method} ${path}`, async () => {
    assertEquals((await ask(path, { method })).status, status);
  });
}
