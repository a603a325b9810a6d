import core from "prismjs/components/prism-core.js";
import "prismjs/components/prism-clike.js";
import "prismjs/components/prism-javascript.js";
import "prismjs/components/prism-typescript.js";
import "prismjs/components/prism-bash.js";
import "prismjs/components/prism-docker.js";
import "prismjs/components/prism-json.js";
import "prismjs/components/prism-nginx.js";
import "prismjs/components/prism-python.js";
import "prismjs/components/prism-toml.js";
import "prismjs/components/prism-yaml.js";

/** The functions in use of the library, which comes without types. */
interface Prism {
  readonly languages: Readonly<Record<string, unknown>>;
  highlight(code: string, grammar: unknown, language: string): string;
}

const prism: Prism = core;

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

/** A code block as escaped HTML with classes; undefined for a language without colours. */
export function highlight(code: string, language: string): string | undefined {
  if (!Object.hasOwn(languages, language)) return undefined;
  const name = languages[language];
  return prism.highlight(code, prism.languages[name], name);
}
