import { assertEquals } from "@std/assert";
import { lexer, type Token, walkTokens } from "marked";
import { markdownFiles, root } from "./blocks.ts";

const pages = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "jsr/README.md"];
for await (const page of markdownFiles("docs/")) pages.push(page);

const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));

/** A path from the root. Names in capitals are placeholders, as in `lib/console/NOUN`. */
const path =
  /^(?:bench|components|docs|islands|jsr|lib|routes|static|tests|tools)\/(?!.*[A-Z]{3})[\w./-]*$/;

for (const page of pages) {
  Deno.test(`names: every path and task that ${page} names exists`, async () => {
    const spans = spansOf(await Deno.readTextFile(new URL(page, root)));
    const missing = spans.filter((span) => path.test(span) && !isThere(span));
    const unknown = spans.flatMap((span) => span.match(/^deno task ([\w:]+)/)?.[1] ?? [])
      .filter((task) => !(task in tasks));
    assertEquals([...missing, ...unknown], []);
  });
}

Deno.test("names: every function and type that ARCHITECTURE.md names is in lib", async () => {
  const spans = spansOf(await Deno.readTextFile(new URL("ARCHITECTURE.md", root)));
  const names = spans.filter((span) => /^[a-z]+[A-Z]\w*$|^[A-Z][a-z]+[A-Z]?\w*$/.test(span));
  const words = new Set((await sourcesIn("lib/")).flatMap((text) => text.match(/\w+/g) ?? []));
  assertEquals(names.filter((name) => !words.has(name)), []);
});

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
