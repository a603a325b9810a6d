import { dirname, join, normalize } from "node:path";
import { readSources } from "./sources.ts";

/**
 * Refuses exports that no other file imports. A re-export counts as an import of the original, and
 * must be imported itself. Prints each unused export and exits with 1.
 */
/** Folders whose exports Fresh, a task or the test runner finds by file name. */
const entries = /^(routes|tests|bench|jsr|tools)\/|^islands\/\w+\.tsx$|^(main|serve)\.ts$/;

const sources = readSources();
const imported = new Set([...sources].flatMap(importsOf));
const unused = [...sources]
  .filter(([path]) => !entries.test(path) && !imported.has(`${path}#*`))
  .flatMap(([path, text]) => exportsOf(text).map((name) => `${path}#${name}`))
  .filter((name) => !imported.has(name));
for (const name of unused) console.error(`${name.replace("#", " exports ")}, which nobody imports`);
console.log(`exports: ${sources.size} files, ${unused.length} unused exports`);
if (unused.length > 0) Deno.exit(1);

/** The names that a file exports. */
function exportsOf(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm,
  );
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name]) => name),
    ...[...listed].flatMap(([, names]) => namesIn(names).map(({ outside }) => outside)),
  ];
}

/** The imports and re-exports of a file: `path#name`, or `path#*` for all of a file. */
function importsOf([path, text]: readonly [path: string, text: string]): string[] {
  const target = (specifier: string) => normalize(join(dirname(path), specifier));
  const named = text.matchAll(
    /^(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from "(\.{1,2}\/[^"]+)"/gm,
  );
  const whole = text.matchAll(
    /(?:(?:import|export) (?:type )?\*(?: as \w+)? from|\bimport\(\s*|new URL\(\s*)\s*"(\.{1,2}\/[^"]+\.tsx?)"/g,
  );
  const typed = text.matchAll(/\bimport\("(\.{1,2}\/[^"]+)"\)\.(\w+)/g);
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
