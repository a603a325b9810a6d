import * as esbuild from "esbuild";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { listFiles } from "../sources.ts";
import { inScratch, run } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of the scripts in the package. All are in it side by side, whatever folder their sources are in. */
export const scriptFolder = "app";

/** The modules that a process or a worker starts with, by the names of their scripts. */
export type Entries = Readonly<Record<string, string>>;

/** Node.js loads these for the gateway in the middle of a call, so each is a script of its own. */
const required = ["gpt-tokenizer/encoding/o200k_base"];

/**
 * Bundles the gateway and its packages as JavaScript into a folder: Deno runs no TypeScript in
 * `node_modules`, and most files of the packages are not used.
 */
export async function bundle(
  { entries, outdir, withCommands }: {
    readonly entries: Entries;
    readonly outdir: string;
    /** Replaces the commands that a source names. */
    readonly withCommands: (text: string) => string;
  },
): Promise<void> {
  await inScratch(async (scratch) => {
    await transpileComponents(scratch);
    const shared = { outdir, absWorkingDir: root, ...options };
    await Promise.all([
      esbuild.build({
        ...{ ...shared, entryPoints: { ...entries }, format: "esm", splitting: true },
        ...{ banner: { js: requireOfScripts }, plugins: [sources(entries, scratch, withCommands)] },
      }),
      esbuild.build({
        ...{ ...shared, entryPoints: required, format: "cjs", entryNames: "[name]" },
        outExtension: { ".js": ".cjs" },
      }),
    ]);
  }).finally(() => esbuild.stop());
}

const options = {
  ...{ bundle: true, platform: "node", target: "esnext", conditions: ["deno"] },
  ...{
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
  },
  define: { global: "globalThis" }, // its name in Node.js
  mainFields: ["module", "main"], // jsonc-parser hides its imports in `main` from bundlers
  external: ["pg-native"],
} as const satisfies esbuild.BuildOptions;

/** Packages that are CommonJS ask it for Node.js's own modules. */
const requireOfScripts =
  `import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);`;

/** Deno compiles JSX to what the gateway runs from its sources; the bundler's own JSX differs. */
async function transpileComponents(folder: string): Promise<void> {
  const files = listFiles(["*.tsx", ":!tests", ":!bench"]);
  await run(Deno.execPath(), ["transpile", "--quiet", "--outdir", folder, ...files], root);
}

function sources(
  entries: Entries,
  transpiled: string,
  withCommands: (text: string) => string,
): esbuild.Plugin {
  const names = new Map(Object.entries(entries).map(([name, file]) => [file, name]));
  const load = async (path: string): Promise<esbuild.OnLoadResult> => {
    const file = relative(root, path);
    const compiled = `${transpiled}/${file.replace(/tsx$/, "js")}`;
    const text = await Deno.readTextFile(file.endsWith(".tsx") ? compiled : path);
    const contents = packaged(withCommands(text), file, names);
    return { contents, loader: file.endsWith(".ts") ? "ts" : "js", resolveDir: dirname(path) };
  };
  return { name: "sources", setup: (build) => plug(build, load) };
}

type Load = (path: string) => Promise<esbuild.OnLoadResult>;

function plug({ onResolve, onLoad }: esbuild.PluginBuild, load: Load): void {
  onResolve({ filter: /^(fresh|@std)\b/ }, ({ path }) => ({
    path: fileURLToPath(import.meta.resolve(path)),
  }));
  // The build writes routes' paths as parts of URLs.
  onResolve({ filter: /%5B/ }, ({ path, resolveDir }) => ({
    path: join(resolveDir, decodeURIComponent(path)),
  }));
  onLoad({ filter: /\/tools\/build\.ts$/ }, () => ({ contents: noBuild }));
  onLoad({ filter: /\/node_modules\/prismjs\// }, ({ path }) => asCommonJs(path));
  onLoad(
    { filter: /\.(tsx?|js)$/ },
    ({ path }) => path.includes("/node_modules/") ? undefined : load(path),
  );
}

/** As a module, a language of Prism could run before the library itself, which it looks for. */
async function asCommonJs(path: string): Promise<esbuild.OnLoadResult> {
  return { contents: `${await Deno.readTextFile(path)}\nexports;` };
}

/** The package has the built console, and not its sources. */
const noBuild = "export const buildWhenStale = () => Promise.resolve();";

/** A source with the addresses that it has in the package. */
function packaged(text: string, file: string, names: ReadonlyMap<string, string>): string {
  const nameOf = (path: string) => names.get(join(dirname(file), path));
  const address = (path: string) => {
    const name = nameOf(path);
    return name === undefined ? `../${join(dirname(file), path)}` : `./${name}.js`;
  };
  const contents = text
    .replaceAll(
      "import.meta.main",
      `Deno.mainModule.endsWith("/${scriptFolder}/${names.get(file)}.js")`,
    )
    .replaceAll(
      /(?<=new URL\(\s*)"(\.[^"]+)"(?=,\s*import\.meta\.url)/g,
      (_, path) => `"${address(path)}"`,
    )
    .replaceAll(
      /(?<=createRequire\(import\.meta\.url\)\()"([^"]+)"/g,
      (_, path) => `"./${basename(found(required, path, file))}.cjs"`,
    )
    .replaceAll(/(?<=const path = )"(\.[^"]+\.ts)"/g, (_, path) => `"${address(path)}"`);
  const [lost] = /"[^"]+_worker\.ts"/.exec(contents) ?? [];
  if (lost !== undefined) throw new Error(`${file} names ${lost} in a way that has no address`);
  return contents;
}

function found(known: readonly string[], name: string, file: string): string {
  if (known.includes(name)) return name;
  throw new Error(`${file} requires ${name}, which is no script of the package`);
}
