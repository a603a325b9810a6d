import { dirname, join, normalize } from "node:path";
import { readSources } from "./sources.ts";

/** The texts of source files, by path. */
type Sources = ReadonlyMap<string, string>;

/** Folders whose exports Fresh, a task or the test runner finds by file name. */
const entries =
  /^(routes|tests|bench|jsr|tools)\/|^islands\/(bundles\/)?\w+\.tsx$|^(app|main|serve)\.ts$/;

/** The exports that no other file imports. A re-export counts as an import of the original, and must be imported itself. */
export function unusedExports(sources: Sources): string[] {
  const imported = new Set([...sources].flatMap(importsOf));
  return [...sources]
    .filter(([path]) => !entries.test(path) && !imported.has(`${path}#*`))
    .flatMap(([path, text]) => exportsOf(text).map((name) => `${path}#${name}`))
    .filter((name) => !imported.has(name))
    .map((name) => `${name.replace("#", " exports ")}, which nobody imports`);
}

/**
 * Files whose exports have the names of their counterparts: the formats' codecs, the translations,
 * and the files that `entries` names, except islands.
 */
const symmetric =
  /^(lib\/formats\/(chat_completions|generate_content|messages|responses)|lib\/console\/i18n|routes|tests|bench|jsr|tools)\//;

/** The names that several files declare and export: each name has one meaning. Re-exports are no second meaning. */
export function repeatedExports(sources: Sources): string[] {
  const declared = [...sources].filter(([path]) => !symmetric.test(path))
    .flatMap(([path, text]) =>
      [...declaredIn(text, ""), ...declaredIn(text, "default ")].map((name) => ({ name, path }))
    );
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) =>
      `${name} is exported by ${
        places.map(({ path }) => path).join(" and ")
      }: give each its own name`
    );
}

/** The names that a file exports; a default export has none. */
function exportsOf(text: string): string[] {
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...declaredIn(text, ""),
    ...[...listed].flatMap(([, names]) => namesIn(names).map(({ outside }) => outside)),
  ];
}

/** The names that a file declares and exports, after an optional word such as `default`. */
function declaredIn(text: string, word: string): string[] {
  const declared = text.matchAll(
    new RegExp(
      `^export ${word}(?:async )?(?:abstract )?(?:function\\*?|const|class|interface|type) (\\w+)`,
      "gm",
    ),
  );
  return [...new Set([...declared].map(([, name]) => name))];
}

/** The imports and re-exports of a file: `path#name`, or `path#*` for all of a file. */
function importsOf([path, text]: readonly [path: string, text: string]): string[] {
  const target = (specifier: string) => normalize(join(dirname(path), specifier));
  const named = text.matchAll(
    /^(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from "(\.{1,2}\/[^"]+)"/gm,
  );
  // A member of `import("…")` other than a promise's is one type, which `typed` finds.
  const whole = text.matchAll(
    /(?:(?:import|export) (?:type )?\*(?: as \w+)? from|\bimport\(\s*|new URL\(\s*)\s*"(\.{1,2}\/[^"]+\.tsx?)"(?!,?\s*\)\s*\.(?!(?:then|catch|finally)\b)\w)/g,
  );
  const typed = text.matchAll(/\bimport\(\s*"(\.{1,2}\/[^"]+)",?\s*\)\s*\.(\w+)/g);
  return [
    ...[...named].flatMap(([, names, specifier]) =>
      namesIn(names).map(({ inside }) => `${target(specifier)}#${inside}`)
    ),
    ...[...whole].map(([, specifier]) => `${target(specifier)}#*`),
    ...[...typed].map(([, specifier, name]) => `${target(specifier)}#${name}`),
  ];
}

/** `a as b, type c` by the names of both sides. */
function namesIn(list: string): { readonly inside: string; readonly outside: string }[] {
  return list.replace(/\/\/.*$/gm, "").split(",").map((one) => one.trim()).filter((one) => one)
    .map((one) => {
      const [inside, outside = inside] = one.replace(/^type /, "").split(/\s+as\s+/);
      return { inside, outside };
    });
}

/**
 * Refuses exports that no other file imports, and names that several files export. Prints each and
 * exits with 1.
 */
if (import.meta.main) {
  const sources = readSources();
  const breaches = [...unusedExports(sources), ...repeatedExports(sources)];
  for (const breach of breaches) console.error(breach);
  console.log(`exports: ${sources.size} files, ${breaches.length} breaches`);
  if (breaches.length > 0) Deno.exit(1);
}
