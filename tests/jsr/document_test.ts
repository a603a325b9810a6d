import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ask } from "./site.ts";

Deno.test("document: Head replaces what it names, and adds the rest", async () => {
  const { text } = await ask("/head");
  assertEquals(
    text.slice(text.indexOf("<head>"), text.indexOf("</head>")),
    `<head><meta charset="utf-8"/><title data-key="tab">Page</title><link rel="stylesheet" href="/style.css"/>` +
      `<meta name="description" content="about a page"/>` +
      `<link rel="stylesheet" href="/page.css" data-key="page"/>`,
  );
  assertStringIncludes(text, "<svg><title>a picture</title></svg>", "its title has no key");
});

Deno.test("document: Head without a key replaces the first of its kind, wherever that is", async () => {
  const { text } = await ask("/picture");
  assertStringIncludes(text, `<title data-key="tab">Site</title>`);
  assertStringIncludes(text, "<svg><title>Page</title></svg><svg><title>second</title></svg>");
});

Deno.test("document: links know where they are, static files are tied to the build", async () => {
  const { text } = await ask("/head");
  assertStringIncludes(text, `<a href="/head" data-current="true" aria-current="page">here</a>`);
  assertMatch(text, /<a href="\/logo\.svg\?__frsh_c=[0-9a-f]{40}"[^>]*>picture/);
});

Deno.test("document: every request has its own nonce, in header and scripts", async () => {
  const [first, second] = [await ask("/head"), await ask("/head")];
  const nonceOf = (text: string) => /<script nonce="([0-9a-f]{32})">/.exec(text)?.[1];
  assertStringIncludes(
    first.headers.get("content-security-policy") ?? "",
    `script-src 'self' 'nonce-${nonceOf(first.text)}'`,
  );
  assertEquals(nonceOf(first.text) === nonceOf(second.text), false);
});

Deno.test("document: a page without islands has no script", async () => {
  const { text, headers } = await ask("/");
  assertEquals(text.includes("<script"), false);
  assertEquals(headers.get("link"), null);
});

Deno.test("document: each island is between two comments, and one script starts them all", async () => {
  const { text, headers } = await ask("/live");
  assertEquals(
    [...text.matchAll(/<!--(\/?frsh:island[^>]*)-->/g)].map(([, comment]) => comment),
    [
      "frsh:island:Counter:0:",
      "/frsh:island",
      "frsh:island:Counter:1:",
      "/frsh:island",
      "frsh:island:Badge:2:",
      "/frsh:island",
    ],
    "an island within an island is no island of its own",
  );
  assertEquals(text.match(/<\/?script/g)?.length, 2, "no prop can open or end a script");
  assertMatch(
    text,
    /<script type="module" nonce="[0-9a-f]{32}">import \{ boot \} from "\/_fresh\//,
  );
  assertMatch(headers.get("link") ?? "", /fresh-runtime\.js>; rel="modulepreload"/);
});

Deno.test("document: the scripts of islands are served for ever", async () => {
  const { text } = await ask("/live");
  const paths = [...text.matchAll(/from "(\/_fresh\/js\/[^"]+)"/g)].map(([, path]) => path);
  assertEquals(paths.length, 3);
  for (const path of paths) {
    const { status, headers } = await ask(path);
    assertEquals(status, 200);
    assertEquals(headers.get("content-type"), "text/javascript; charset=UTF-8");
    assertEquals(headers.get("cache-control"), "public, max-age=31536000, immutable");
  }
});
