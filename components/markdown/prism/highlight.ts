import { prism } from "./core.ts";
import type { PrismToken } from "./prism.d.ts";
import "prismjs/components/prism-markup.js";
import "prismjs/components/prism-css.js";
import "prismjs/components/prism-clike.js";
import "prismjs/components/prism-javascript.js";
import "prismjs/components/prism-typescript.js";
import "prismjs/components/prism-c.js";
import "prismjs/components/prism-cpp.js";
import "prismjs/components/prism-bash.js";
import "prismjs/components/prism-diff.js";
import "prismjs/components/prism-go.js";
import "prismjs/components/prism-java.js";
import "prismjs/components/prism-json.js";
import "prismjs/components/prism-python.js";
import "prismjs/components/prism-rust.js";
import "prismjs/components/prism-sql.js";
import "prismjs/components/prism-yaml.js";

/** A piece of code in one colour. */
export interface CodeRun {
  readonly type?: string;
  readonly text: string;
}

const aliases: Readonly<Record<string, string>> = {
  "c++": "cpp",
  jsonc: "json",
  jsx: "javascript",
  mjs: "javascript",
  postgresql: "sql",
  py: "python",
  rs: "rust",
  shell: "bash",
  sh: "bash",
  tsx: "typescript",
  yml: "yaml",
  zsh: "bash",
};

/** The code in pieces; undefined for a language without colours. */
export function colouredRuns(code: string, language: string): readonly CodeRun[] | undefined {
  const name = Object.hasOwn(aliases, language) ? aliases[language] : language;
  const grammar = Object.hasOwn(prism.languages, name) ? prism.languages[name] : undefined;
  if (typeof grammar !== "object") return undefined;
  return prism.tokenize(code, grammar).flatMap((piece) => runsOf(piece, undefined));
}

function runsOf(piece: string | PrismToken, outer: string | undefined): readonly CodeRun[] {
  if (typeof piece === "string") return [{ type: outer, text: piece }];
  const { type, content } = piece;
  return [content].flat().flatMap((inner) => runsOf(inner, type));
}
