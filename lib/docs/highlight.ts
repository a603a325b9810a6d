import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";

/** The languages of code blocks, by the word behind the fence. */
const languages = {
  sh: bash,
  ts: typescript,
  python,
  json,
  jsonc: json,
  toml: ini,
  yaml,
  nginx,
  dockerfile,
} as const;

const highlighter = hljs.newInstance();
for (const [name, language] of Object.entries(languages)) {
  highlighter.registerLanguage(name, language);
}

/** A code block as escaped HTML with classes; undefined for a language without colours. */
export function highlight(code: string, language: string): string | undefined {
  if (!Object.hasOwn(languages, language)) return undefined;
  return highlighter.highlight(code, { language }).value;
}
