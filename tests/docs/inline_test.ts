import { assertStringIncludes } from "@std/assert";
import { lexer } from "marked";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { Inline } from "../../components/docs/DocArticle.tsx";

Deno.test("docs: a text is escaped once", () => {
  const tokens = lexer("a < b **c < d**");
  const html = renderToString(h(Inline, { tokens, slug: "start" }));
  assertStringIncludes(html, "a &lt; b");
  assertStringIncludes(html, "c &lt; d");
});
