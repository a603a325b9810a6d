import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import * as path from "node:path";
import { fileURLToPath } from "node:url";

/** Resolves imports for the bundler as the server does, through the project's import map. */
export async function fromImportMap(root: string): Promise<Plugin> {
  const imports = await importsOf(root);
  return {
    name: "import-map",
    setup(build) {
      build.onResolve(
        { filter: /^[^./]/ },
        (args) => resolve(args, { build, imports, root }),
      );
    },
  };
}

interface Scope {
  readonly build: PluginBuild;
  readonly imports: Readonly<Record<string, string>>;
  readonly root: string;
}

/** Preact must exist once in a page, whoever imports it, so all take this stand-in's. */
const single = /^preact(\/|$)/;

async function resolve(
  args: OnResolveArgs,
  scope: Scope,
): Promise<OnResolveResult | null> {
  if (args.kind === "entry-point" || args.pluginData === seen) return null;
  const target = mapped(args.path, scope.imports);
  const name = target.replace(/^npm:\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?/, "$1");
  if (single.test(name)) {
    return { path: fileURLToPath(import.meta.resolve(name)) };
  }
  if (name.startsWith("jsr:") || name.startsWith("file:")) {
    return { path: localModule(name) };
  }
  const fromPackage = args.importer.includes("/node_modules/");
  const resolveDir = fromPackage ? args.resolveDir : scope.root;
  return await scope.build.resolve(name, {
    kind: args.kind,
    resolveDir,
    pluginData: seen,
  });
}

const seen = Symbol("seen");

/** The import map of the nearest `deno.json`, here or above. */
async function importsOf(folder: string): Promise<Record<string, string>> {
  try {
    const { imports = {} } = JSON.parse(await Deno.readTextFile(path.join(folder, "deno.json")));
    return imports;
  } catch (error) {
    const above = path.dirname(folder);
    if (!(error instanceof Deno.errors.NotFound) || above === folder) throw error;
    return await importsOf(above);
  }
}

/** The longest entry of the map that the specifier begins with. */
function mapped(
  specifier: string,
  imports: Readonly<Record<string, string>>,
): string {
  const keys = Object.keys(imports).filter((key) =>
    specifier === key ||
    specifier.startsWith(key.endsWith("/") ? key : `${key}/`)
  );
  const key = keys.toSorted((a, b) => b.length - a.length).at(0);
  return key === undefined ? specifier : imports[key] + specifier.slice(key.length);
}

/** A JSR package of this build is a linked one, so it has a file. */
function localModule(specifier: string): string {
  const own = /^jsr:@fresh\/core(?:@[^/]+)?\/(\w+)$/.exec(specifier);
  const url = own === null
    ? import.meta.resolve(specifier)
    : new URL(`../${own[1]}/mod.ts`, import.meta.url).href;
  return fileURLToPath(url);
}
