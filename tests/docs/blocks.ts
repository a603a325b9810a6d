import { lexer, type Token } from "marked";

export const root = new URL("../../", import.meta.url);

/** A code block of a document. */
export interface Block {
  /** Such as `docs/start/sdks.md:12`. */
  readonly name: string;
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** The comment before the block, such as `not run: needs nginx`. */
  readonly note: string | undefined;
}

/** Every code block of the documents for users and contributors, in order. */
export async function readBlocks(): Promise<Block[]> {
  const pages = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"];
  for await (const page of markdownFiles("docs/")) pages.push(page);
  const texts = pages.map((page) => Deno.readTextFile(new URL(page, root)));
  return (await Promise.all(texts)).flatMap((text, at) => blocksOf(pages[at] ?? "", text));
}

/** The Markdown files of a folder and the folders below it. */
export async function* markdownFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) yield* markdownFiles(`${folder}${name}/`);
    else if (name.endsWith(".md")) yield `${folder}${name}`;
  }
}

function blocksOf(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  let note: string | undefined;
  const visit = (token: Token) => {
    if (token.type === "html") note = token.raw.match(/<!-- (.*?) -->/s)?.[1];
    else if (token.type === "code") {
      from = text.indexOf(token.raw.split("\n", 1)[0] ?? "", from) + 1;
      const name = `${page}:${text.slice(0, from).split("\n").length}`;
      blocks.push({ name, page, language: token.lang ?? "", code: token.text, note });
      from += token.raw.length - 1;
    } else if (token.type === "list") {
      for (const item of token.items) item.tokens.forEach(visit);
    }
    if (token.type !== "html" && token.type !== "space") note = undefined;
  };
  lexer(text).forEach(visit);
  return blocks;
}
