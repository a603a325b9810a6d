import { dirname, join, normalize } from "node:path";

/** One file that needs another: a static or dynamic import, a re-export, a type or a worker's URL. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const forms: readonly RegExp[] = [
  /^(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["'](\.{1,2}\/[^"']+)["']/gm,
  /\bimport\s*\(\s*["'`](\.{1,2}\/[^"'`$]+)["'`]/g,
  /\bnew URL\(\s*["'`](\.{1,2}\/[^"'`$]+\.tsx?)["'`],\s*import\.meta\.url/g,
];

/** The imports of a source text, by paths from the root of the repository; those of packages left out. */
export function importsOf(file: string, text: string): Import[] {
  const code = withoutComments(text);
  const targets = forms.flatMap((form) => [...code.matchAll(form)].map(([, path]) => path));
  return [...new Set(targets)].map((path) => ({
    from: file,
    to: normalize(join(dirname(file), path)),
  }));
}

/** Removes line comments only at the start of a line, because `//` in a text is not a comment. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
}
