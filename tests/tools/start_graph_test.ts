import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "node:path";
import { withoutComments } from "../../tools/boundaries.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Imports and re-exports of values that are loaded with their module. */
const statement = /^(?:import|export)\s(?!type\b)(?:([^"';]*?)\sfrom\s*)?["']([^"']+)["']/gm;
const typesOnly = /^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}$/;

function loadedBy(file: string): string[] {
  const code = withoutComments(Deno.readTextFileSync(`${root}${file}`));
  return [...code.matchAll(statement)].filter(([, names = ""]) => !typesOnly.test(names))
    .map(([, , name = ""]) => name.startsWith(".") ? join(dirname(file), name) : name);
}

/** All modules and packages that a start of the entry loads before it does anything. */
function loadedAtStart(entry: string): string[] {
  const found = new Set([entry]);
  for (const name of found) {
    if (/\.tsx?$/.test(name)) { for (const loaded of loadedBy(name)) found.add(loaded); }
  }
  return [...found];
}

for (const entry of ["main.ts", "deploy.ts"]) {
  const loaded = loadedAtStart(entry);

  Deno.test(`start: ${entry} loads no other packages before it answers calls`, () => {
    const packages = loaded.filter((name) =>
      !/\.tsx?$|^node:|^deno\.json$|^lib\/catalog\/catalog\.json$/.test(name)
    );
    assertEquals(packages.sort(), ["@opentelemetry/api", "jsonc-parser", "prom-client", "zod"]);
  });

  Deno.test(`start: ${entry} loads nothing of the console, the documents and the tools`, () => {
    const pages = loaded.filter((name) =>
      /^(routes|components|islands|tools|lib\/docs)\//.test(name)
    );
    assertEquals(pages, []);
    assert(loaded.length > 100, "the imports are not found");
  });
}
