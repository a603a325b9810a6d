import { assert, assertEquals } from "@std/assert";
import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { anchorsOf, outlineOf } from "../../lib/docs/mod.ts";

const root = new URL("../../", import.meta.url);

/** Every Markdown file of the repository, by its path. */
const documents = new Map(
  await Array.fromAsync(markdownFiles(""), async (path) => {
    return [path, lexer(await Deno.readTextFile(new URL(path, root)))] as const;
  }),
);

async function* markdownFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (/^(\..*|node_modules|_fresh|data|screenshots)$/.test(name)) continue;
    if (isDirectory) yield* markdownFiles(`${folder}${name}/`);
    else if (name.endsWith(".md")) yield `${folder}${name}`;
  }
}

for (const [path, tokens] of documents) {
  Deno.test(`links: ${path}`, async () => {
    const faults: string[] = [];
    for (const href of hrefsOf(tokens)) {
      if (!await resolves(new URL(href, new URL(path, root)))) faults.push(href);
    }
    assertEquals(faults, []);
  });
}

Deno.test("links: docs/README.md lists every page once", () => {
  const pages = [...documents.keys()].map((path) =>
    path.match(/^docs\/(?!decisions|maintainers|README)(.+)\.md$/)?.[1]
  );
  const index = outlineOf(Deno.readTextFileSync(new URL("docs/README.md", root)));
  assertEquals(index.map(({ slug }) => slug).sort(), pages.filter((slug) => slug).sort());
  for (const { slug, title } of index) {
    const [heading] = documents.get(`docs/${slug}.md`) ?? [];
    assert(
      heading?.type === "heading" && heading.text === title,
      `${slug}: the index says ${title}`,
    );
  }
});

/** Relative links and images; others' pages are not asked. */
function hrefsOf(tokens: Token[]): string[] {
  const hrefs: string[] = [];
  walkTokens(tokens, (token) => {
    if (token.type === "link" || token.type === "image") hrefs.push(token.href);
  });
  return hrefs.filter((href) => !/^[a-z]+:/.test(href));
}

async function resolves({ href, hash }: URL): Promise<boolean> {
  const path = decodeURI(href.slice(root.href.length).replace(/#.*$/, ""));
  if (hash !== "") return anchorsIn(path).includes(decodeURIComponent(hash.slice(1)));
  return await Deno.stat(new URL(path, root)).then(() => true, () => false);
}

function anchorsIn(path: string): string[] {
  const headings =
    documents.get(path)?.filter((token): token is Tokens.Heading => token.type === "heading") ?? [];
  return anchorsOf(headings.map(({ text }) => text));
}
