import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import * as most from "../../../islands/bundles/Console.tsx";
import Playground from "../../../islands/bundles/Playground.tsx";
import { styleSheet } from "../../../lib/console/page/style_sheet.ts";
import { testConsole } from "../console.ts";

const [islands, sheets] = ["../../../islands/", "../../../static/css/"].map((path) =>
  [...Deno.readDirSync(new URL(path, import.meta.url))].filter(({ isFile }) => isFile)
);

Deno.test("islands: a bundle has every one, so that each starts in browsers", () => {
  const names = islands.map(({ name }) => name.replace(".tsx", ""));
  assertEquals([...Object.keys(most), Playground.name].sort(), names.sort());
});

Deno.test("style sheet: it holds every file of static/css but the documents'", () => {
  const { text } = styleSheet();
  for (const { name } of sheets.filter(({ name }) => name !== "docs.css")) {
    const rules = Deno.readTextFileSync(new URL(`../../../static/css/${name}`, import.meta.url));
    const selector = /^[.:#\w[@][^{]*\{/m.exec(rules)?.[0].split("\n", 1)[0].trim() ?? name;
    assertStringIncludes(text, selector);
  }
  assert(!text.includes("/*"), "a comment");
});

testConsole("a page links one style sheet, which browsers keep for ever", async (console) => {
  const browser = console.browser();
  const { html } = await browser.get("/login");
  const links = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) =>
    href
  );
  assertEquals(links, [styleSheet().href]);
  const sheet = await browser.get(styleSheet().href);
  assertEquals(sheet.status, 200);
  assertMatch(sheet.headers.get("content-type") ?? "", /^text\/css/);
  assertStringIncludes(sheet.headers.get("cache-control") ?? "", "immutable");
});

testConsole("a page from before an update gets today's style sheet, unkept", async (console) => {
  const sheet = await console.browser().get("/css/console-0123456789abcdef.css");
  assertEquals([sheet.status, sheet.headers.get("cache-control")], [200, "no-store"]);
  assertEquals(sheet.html, styleSheet().text);
});
