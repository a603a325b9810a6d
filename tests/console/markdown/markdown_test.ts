import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { Markdown } from "../../../components/markdown/Markdown.tsx";
import { growMarkdown, type MarkdownState } from "../../../components/markdown/lexer.ts";
import { ServerReader } from "../../../components/markdown/reader.ts";

const texts = { copyCode: "Copy code", copy: { copied: "Copied", failed: "Failed" } };

function html(text: string): string {
  const markdown = h(Markdown, { text, growing: false, texts });
  return renderToString(h(ServerReader.Provider, { value: growMarkdown }, markdown))
    .replaceAll(/ +(?=[ >])/g, "");
}

const shown: readonly { readonly name: string; readonly text: string; readonly html: string }[] = [
  { name: "bold, code and a break", text: "**a** `b`\nc", html: "<p><strong>a</strong> <code" },
  { name: "a heading two levels below the page's", text: "# A", html: "<h4>A</h4>" },
  { name: "a numbered list", text: "3. a\n4. b", html: '<ol start="3"><li>a</li><li>b</li></ol>' },
  { name: "a table with numbers", text: "|a|b|\n|-|-:|\n|1|2|", html: '<td class="n">2</td>' },
  { name: "a code block", text: "```sql\nSELECT 1;\n```", html: ">SELECT 1;</code></pre>" },
  { name: "a task list", text: "- [x] a", html: "☑ a" },
  { name: "an entity", text: "a &lt; b", html: "a &lt; b" },
  {
    name: "a link that opens elsewhere",
    text: "[a](https://example.com/b)",
    html:
      '<a href="https://example.com/b" target="_blank" rel="noopener noreferrer nofollow">a</a>',
  },
  {
    name: "an image that is part of the text",
    text: "![dot](data:image/png;base64,AAAA)",
    html: '<img class="picture" src="data:image/png;base64,AAAA" alt="dot"/>',
  },
];
for (const { name, text, html: expected } of shown) {
  Deno.test(`markdown: ${name}`, () => assertStringIncludes(html(text), expected));
}

const hostile: readonly { readonly name: string; readonly text: string }[] = [
  { name: "a script", text: "<script>alert(1)</script>" },
  { name: "a script inside a paragraph", text: "a <img src=x onerror=alert(1)> b" },
  { name: "a script after an unclosed comment", text: "<!--\n\n<script>alert(1)</script>" },
  { name: "a frame inside a list", text: "- <iframe src='https://evil.example'></iframe>" },
  { name: "a style", text: "<style>*{display:none}</style>\n\n<svg onload=alert(1)>" },
  { name: "a javascript: link", text: "[a](javascript:alert(1))" },
  { name: "a javascript: link with an entity", text: "[a](java&#115;cript:alert(1))" },
  { name: "a javascript: link with a line break", text: "[a](<java\tscript:alert(1)>)" },
  { name: "a javascript: autolink", text: "<javascript:alert(1)>" },
  { name: "a data: link", text: "[a](data:text/html;base64,PHNjcmlwdD4=)" },
  { name: "a link by reference", text: "[a][b]\n\n[b]: javascript:alert(1)" },
  { name: "a link to this console", text: "[a](/console/admin/users) [b](//evil.example)" },
  { name: "a vector image", text: "![a](data:image/svg+xml;base64,PHN2Zz4=)" },
  { name: "an image from elsewhere", text: "![a](https://evil.example/pixel.png)" },
  {
    name: "a quote that leaves an attribute",
    text: '[a](https://x.example "\\" onclick=alert(1) x=\\"")',
  },
  { name: "a language that leaves an attribute", text: '```"><script>alert(1)</script>\nx\n```' },
];
for (const { name, text } of hostile) {
  Deno.test(`markdown: ${name} is text`, () => {
    const out = html(text);
    const tags = out.match(/<[a-z][^<>]*>/g) ?? [];
    for (const tag of tags) {
      assert(!/^<(?:script|style|iframe|svg(?! class="icon)|object|embed|form)/.test(tag), tag);
      assert(!/\son\w+=|javascript:|data:text|svg\+xml|href="\/(?!icons)|style=/.test(tag), tag);
      assert(!/<img[^>]*evil/.test(tag), tag);
    }
  });
}

const size = 1_000_000;
const repeated = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const large: Readonly<Record<string, string>> = {
  prose: repeated(
    "## A\n\nSome **bold** `code` and [a link](https://example.com).\n\n- one\n- two\n\n",
  ),
  "one code block": `\`\`\`ts\n${repeated("const a = 1; // x\n")}`,
  "one list": repeated("- item **bold** and more\n"),
  "one line": repeated("word "),
  "unclosed emphasis": repeated("*a **b "),
  "unclosed brackets": repeated("[a]("),
  "unclosed comments": repeated("<!-- x\n"),
  quotes: repeated(">"),
  "lists in quotes": repeated("> - 1. > - 1. x\n"),
  "nested lists": Array.from({ length: 1_400 }, (_, at) => `${" ".repeat(at * 2)}- x\n`).join(""),
};
for (const [name, text] of Object.entries(large)) {
  Deno.test(`markdown: 1 MB of ${name} is streamed in short readings`, () => {
    const [steps, openCharsMax, msMax] = [200, 16_000, 1_000];
    let state: MarkdownState | undefined;
    for (let step = 1; step <= steps; step++) {
      const startedAt = performance.now();
      state = growMarkdown(state, text.slice(0, Math.ceil(text.length * step / steps)));
      assert(performance.now() - startedAt < msMax, "one reading takes too long");
      assert(state.text.length - state.settledChars <= openCharsMax, "too much is read again");
    }
  });
}

Deno.test("markdown: a text reads the same whole and in pieces", () => {
  const text = large.prose.slice(0, 60_000);
  let state: MarkdownState | undefined;
  for (let at = 0; at < text.length; at += 97) state = growMarkdown(state, text.slice(0, at));
  const inPieces = growMarkdown(state, text);
  const kinds = ({ settled, open }: MarkdownState) =>
    [...settled.flat(), ...open].map((t) => t.raw);
  assertEquals(kinds(inPieces).join(""), text);
  assertEquals(kinds(inPieces), kinds(growMarkdown(undefined, text)));
});

Deno.test("markdown: a long code block stays code where it is divided", () => {
  const text = `\`\`\`ts\n${"# not a heading\n".repeat(3_000)}\`\`\`\n\nEnd`;
  const { settled, open } = growMarkdown(undefined, text);
  const types = new Set([...settled.flat(), ...open].map(({ type }) => type));
  assertEquals([...types].toSorted(), ["code", "paragraph"]);
});

Deno.test("markdown: an answer is plain text until the reader is loaded", () => {
  const out = renderToString(h(Markdown, { text: "**a** <b>", growing: true, texts }));
  assertEquals(out, '<p class="words">**a** &lt;b></p>');
});
