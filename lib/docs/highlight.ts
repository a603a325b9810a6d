import { createRequire } from "node:module";

/** The functions in use of the library, which comes without types. */
interface Prism {
  readonly languages: Readonly<Record<string, unknown>>;
  highlight(code: string, grammar: unknown, language: string): string;
}

const require = createRequire(import.meta.url);
const prism: Prism = require("prismjs");
const loadLanguages: (names: readonly string[]) => void = require("prismjs/components/");

/** The library's languages of code blocks, by the word behind the fence. */
const languages: Readonly<Record<string, string>> = {
  sh: "bash",
  ts: "typescript",
  python: "python",
  json: "json",
  jsonc: "json",
  toml: "toml",
  yaml: "yaml",
  nginx: "nginx",
  dockerfile: "docker",
};

loadLanguages(Object.values(languages));

/** A code block as escaped HTML with classes; undefined for a language without colours. */
export function highlight(code: string, language: string): string | undefined {
  if (!Object.hasOwn(languages, language)) return undefined;
  const name = languages[language];
  return prism.highlight(code, prism.languages[name], name);
}
