import * as esbuild from "esbuild";
import type { FoundIsland } from "./crawl.ts";
import { fromImportMap } from "./resolve.ts";

/** A script of the build, at the address where browsers find it. */
export interface Script {
  readonly pathname: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface BundleOptions {
  readonly root: string;
  readonly version: string;
  readonly islands: readonly FoundIsland[];
}

/** One script for each island and one that starts them; what they share becomes chunks. */
export async function bundleIslands(options: BundleOptions): Promise<Script[]> {
  if (options.islands.length === 0) return [];
  running.add(options);
  try {
    const { outputFiles, metafile } = await esbuild.build(await esbuildOptions(options));
    const helpers = helpersOf(metafile);
    return outputFiles.map(({ path, contents, text }) => ({
      pathname: path.slice(outPrefix.length).replaceAll("\\", "/"),
      bytes: path.endsWith(".js") ? withoutHelpers(text, helpers) : new Uint8Array(contents),
    }));
  } finally {
    running.delete(options);
    if (running.size === 0) await esbuild.stop();
  }
}

/** The names of chunks that hold only esbuild's own helper functions: loading one has no effect. */
function helpersOf({ outputs }: esbuild.Metafile): readonly string[] {
  return Object.entries(outputs).filter(([path, { inputs, entryPoint }]) =>
    entryPoint === undefined && path.endsWith(".js") && Object.keys(inputs).length === 0
  ).map(([path]) => path.slice(path.lastIndexOf("/") + 1));
}

/** Drops imports of helpers that use none of them: each costs every page a request. */
function withoutHelpers(script: string, helpers: readonly string[]): Uint8Array<ArrayBuffer> {
  const text = helpers.reduce((rest, name) => rest.replace(`import"./${name}";`, ""), script);
  return new TextEncoder().encode(text);
}

/** All builds of a process share one esbuild, which only the last may stop. */
const running = new Set<BundleOptions>();

/** The address of a script that the bundler makes. */
export function scriptPath(version: string, name: string): string {
  return `/_fresh/js/${version}/${name}.js`;
}

export const runtimeName = "fresh-runtime";

/** The outputs stay in memory, so this folder needs no existence. */
const outPrefix = Deno.build.os === "windows" ? "C:\\out" : "/out";

async function esbuildOptions(
  { root, version, islands }: BundleOptions,
) {
  const runtime = {
    in: new URL("../runtime/boot.ts", import.meta.url).pathname,
    out: runtimeName,
  };
  return {
    entryPoints: [
      runtime,
      ...islands.map(({ name, file }) => ({ in: file, out: name })),
    ],
    outdir: `${outPrefix}/_fresh/js/${version}`,
    absWorkingDir: root,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    define: { FRESH_BUILD_ID: JSON.stringify(version) },
    plugins: [await fromImportMap(root)],
  } as const satisfies esbuild.BuildOptions;
}
