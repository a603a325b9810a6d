import { assertEquals } from "@std/assert";
import { dirname, join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const read = (path: string) => Deno.readTextFileSync(`${root}${path}`);

interface DenoConfig {
  readonly imports: Readonly<Record<string, string>>;
  readonly [setting: string]: unknown;
}

const gateway: DenoConfig = JSON.parse(read("deno.json"));
const tests: DenoConfig = JSON.parse(read("tests/deno.json"));

/** The files of an image: sources of the gateway and of the operator's tasks. */
const installed = read(".dockerignore").split("\n").filter((line) => line.startsWith("!"))
  .map((line) => line.slice(1));
const files = installed.flatMap((path) => [...filesIn(path)]);

function* filesIn(path: string): Iterable<string> {
  if (Deno.statSync(`${root}${path}`).isFile) return yield path;
  for (const { name } of Deno.readDirSync(`${root}${path}`)) yield* filesIn(`${path}/${name}`);
}

/** Modules that hold programs for callers as texts. */
const snippets = /(snippets|client_programs)\.ts$/;

/** All module names in strings after `from`, `import` or `require`. */
function importsIn(path: string): string[] {
  if (snippets.test(path) || !/\.tsx?$/.test(path)) return [];
  const pattern =
    /(?:from|import|import\(|require\(|createRequire\(import\.meta\.url\)\()\s*"([^"]+)"/g;
  return [...read(path).matchAll(pattern)].map(([, name = ""]) => name);
}

Deno.test("packages: the gateway imports every package of deno.json", () => {
  const imported = new Set(files.flatMap(importsIn));
  const isImported = (name: string) =>
    [...imported].some((one) => one === name || one.startsWith(name.replace(/\/?$/, "/")));
  const others = [
    "@std/assert", // weighs nothing, and lets most tests run without their own configuration
    "@preact/signals", // imported by the real Fresh
  ];
  assertEquals(Object.keys(gateway.imports).filter((name) => !isImported(name)), others);
});

Deno.test("packages: an image has every file that its files import", () => {
  const known = new Set(files);
  const missing = files.flatMap((file) =>
    importsIn(file).filter((name) => /^\.{1,2}\/.*\.tsx?$/.test(name))
      .map((name) => join(dirname(file), name))
      .filter((path) => !known.has(path))
  );
  assertEquals(missing, []);
});

Deno.test("packages: tests/deno.json has the gateway's packages and settings", () => {
  const { imports, links } = gateway;
  for (const name of ["unstable", "nodeModulesDir", "allowScripts", "compilerOptions"]) {
    assertEquals(tests[name], gateway[name], name);
  }
  assertEquals(tests.links, [links].flat().map((path) => `.${path}`));
  assertEquals({ ...tests.imports, ...imports }, tests.imports);
});

Deno.test("packages: an installed command line has the gateway's versions of its packages", () => {
  const cli: DenoConfig = JSON.parse(read("cli/deno.json"));
  for (const [name, version] of Object.entries(cli.imports)) {
    assertEquals(version, gateway.imports[name]);
  }
});

Deno.test("packages: both lock files have the same versions", () => {
  const { npm: ofTests } = JSON.parse(read("tests/deno.lock"));
  const { npm: ofGateway } = JSON.parse(read("deno.lock"));
  assertEquals(Object.keys(ofGateway).filter((name) => !(name in ofTests)), []);
});
