import { assert, assertEquals } from "@std/assert";
import { lexer, type Token, walkTokens } from "marked";
import { withoutComments } from "../../tools/boundaries.ts";
import { markdownFiles, root } from "./blocks.ts";

const pages = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "jsr/README.md"];
for await (const page of markdownFiles("docs/")) pages.push(page);

const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));

/**
 * A path from the root, or a file in it. Names in capitals are placeholders, as in
 * `lib/console/NOUN`, except those of documents.
 */
const path =
  /^(?!(?:.*\/)?[A-Z]{3,}(?:[/.](?!md$)|$))(?:(?:bench|components|docs|islands|jsr|lib|routes|static|tests|tools)\/[\w./-]*|(?:app|main|serve)\.ts|(?:deno|config\.schema)\.json|deno\.lock|[A-Z]+\.md)$/;

const paths: readonly (readonly [span: string, read: boolean])[] = [
  ["docs/README.md", true],
  ["docs/HTTP.md", true],
  ["lib/http/", true],
  ["main.ts", true],
  ["CONTRIBUTING.md", true],
  ["lib/console/NOUN", false],
  ["lib/NOUN", false],
  ["components/NOUN/parts.tsx", false],
  ["lib/console/i18n/en/NOUN.ts", false],
  ["notes.ts", false],
];

for (const [span, read] of paths) {
  Deno.test(`names: ${span} is ${read ? "a path" : "no path"}`, () => {
    assertEquals(path.test(span), read);
  });
}

for (const page of pages) {
  Deno.test(`names: every path and task that ${page} names exists`, async () => {
    const text = await Deno.readTextFile(new URL(page, root));
    const missing = spansOf(text).filter((span) => path.test(span) && !isThere(span));
    const named = [...text.matchAll(/\bdeno task ([\w:]+)/g)].map(([, task]) => task);
    assertEquals([...missing, ...named.filter((task) => !(task in tasks))], []);
  });
}

Deno.test("names: the documents name paths", async () => {
  const texts = await Promise.all(pages.map((page) => Deno.readTextFile(new URL(page, root))));
  assert(texts.flatMap(spansOf).filter((span) => path.test(span)).length > 0);
});

Deno.test("names: every function and type that ARCHITECTURE.md names is in lib", async () => {
  const spans = spansOf(await Deno.readTextFile(new URL("ARCHITECTURE.md", root)));
  const names = spans.filter((span) => /^[a-z]+[A-Z]\w*$|^[A-Z][a-z]+[A-Z]?\w*$/.test(span));
  const words = new Set(
    (await sourcesIn("lib/")).flatMap((text) => withoutComments(text).match(/\w+/g) ?? []),
  );
  assert(names.length > 10, `${names}`);
  assertEquals(names.filter((name) => !words.has(name)), []);
});

Deno.test("names: what ARCHITECTURE.md says is in a file is declared there", async () => {
  const text = (await Deno.readTextFile(new URL("ARCHITECTURE.md", root))).replace(/\s+/g, " ");
  const said = [...text.matchAll(/`(\w+)` (?:in |\()`([\w/]+\.ts)`/g)];
  assert(said.length > 10, `${said.length}`);
  const wrong = said.filter(([, name, file]) =>
    !new RegExp(
      `^export (?:async )?(?:function|class|const) ${name}\\b|^(?:async )?function ${name}\\b`,
      "m",
    )
      .test(Deno.readTextFileSync(new URL(file, root)))
  );
  assertEquals(wrong.map(([words]) => words), []);
});

/** The code in the sentences of a document. */
function spansOf(markdown: string): string[] {
  const spans: string[] = [];
  walkTokens(lexer(markdown), (token: Token) => {
    if (token.type === "codespan") spans.push(token.text);
  });
  return spans;
}

function isThere(span: string): boolean {
  try {
    return Deno.statSync(new URL(span, root)) !== undefined;
  } catch {
    return false;
  }
}

async function sourcesIn(folder: string): Promise<string[]> {
  const texts: Promise<string[]>[] = [];
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, root))) {
    const source = `${folder}${name}`;
    if (isDirectory) texts.push(sourcesIn(`${source}/`));
    else if (name.endsWith(".ts")) {
      texts.push(Deno.readTextFile(new URL(source, root)).then((text) => [text]));
    }
  }
  return (await Promise.all(texts)).flat();
}
