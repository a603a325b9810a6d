import type { FileRecord } from "../prod_build_cache.ts";
import { runtimeName, scriptPath } from "./bundle.ts";
import { contentTypeOf } from "./content_type.ts";
import { type FoundIsland, type FoundRoute, hashOf } from "./crawl.ts";
import type { Build } from "./memory.ts";
import { relativePath } from "./path.ts";

interface Places {
  readonly root: string;
  readonly outDir: string;
  readonly serverEntry: string;
}

/** Writes the scripts, and the two modules from which the built server starts. */
export async function writeBuild(build: Build, places: Places): Promise<void> {
  const { outDir } = places;
  await removeIfThere(`${outDir}/static`);
  await Deno.mkdir(`${outDir}/static/_fresh/js/${build.version}`, {
    recursive: true,
  });
  for (const { pathname, bytes } of build.scripts) {
    await Deno.writeFile(`${outDir}/static${pathname}`, bytes);
  }
  await Deno.writeTextFile(
    `${outDir}/snapshot.js`,
    await snapshotCode(build, places),
  );
  await Deno.writeTextFile(`${outDir}/server.js`, serverCode(places));
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function serverCode({ root, outDir, serverEntry }: Places): string {
  return `// Written by the build.
import { ProdBuildCache, setBuildCache } from "fresh/internal";
import * as snapshot from "./snapshot.js";
import { app } from ${specifier(outDir, serverEntry)};

const root = new URL(${text(`${relativePath(outDir, root)}/`)}, import.meta.url);
setBuildCache(app, new ProdBuildCache(decodeURIComponent(root.pathname), snapshot));

export default { fetch: app.handler() };
`;
}

async function snapshotCode(build: Build, places: Places): Promise<string> {
  const { version } = build;
  const imports: string[] = [];
  const imported = (file: string): string => {
    const name = `module${imports.length}`;
    imports.push(`import * as ${name} from ${specifier(places.outDir, file)};`);
    return name;
  };
  const routes = build.routes.map((route) => routeCode(route, places, imported));
  const islands = build.islands.map((island) => islandCode(island, build, imported));
  const files = [...await fileRecords(build, places)].map((entry) => text(entry));
  return `// Written by the build.
${imports.join("\n")}

export const version = ${text(version)};
export const runtime = ${text(scriptPath(version, runtimeName))};
export const routes = ${list(routes)};
export const islands = ${list(islands)};
export const staticFiles = new Map(${list(files)});
`;
}

/** The first request loads a page; the special files are loaded at start. */
function routeCode(
  route: FoundRoute,
  { outDir }: Places,
  imported: (file: string) => string,
): string {
  const start = `{ kind: ${text(route.kind)}, folder: ${text(route.folder)}, `;
  return route.kind === "route"
    ? `${start}path: ${text(route.path)}, load: () => import(${specifier(outDir, route.file)}) }`
    : `${start}module: ${imported(route.file)} }`;
}

function islandCode(
  { name, file }: FoundIsland,
  { root, version }: Build,
  imported: (file: string) => string,
): string {
  return `{ name: ${text(name)}, file: ${text(relativePath(root, file))}, ` +
    `chunk: ${text(scriptPath(version, name))}, module: ${imported(file)} }`;
}

async function fileRecords(
  { files, scripts }: Build,
  { root, outDir }: Places,
): Promise<Map<string, FileRecord>> {
  const records = new Map<string, FileRecord>();
  for (const { pathname, file, hash, contentType } of files) {
    records.set(pathname, {
      path: relativePath(root, file),
      hash,
      contentType,
      immutable: false,
    });
  }
  for (const { pathname, bytes } of scripts) {
    records.set(pathname, {
      path: relativePath(root, `${outDir}/static${pathname}`),
      hash: await hashOf(bytes),
      contentType: contentTypeOf(pathname),
      immutable: true,
    });
  }
  return records;
}

function specifier(from: string, file: string): string {
  return text(encodeURI(relativePath(from, file)).replace(/^(?!\.)/, "./"));
}

function text(value: unknown): string {
  return JSON.stringify(value);
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "[]" : `[\n  ${items.join(",\n  ")},\n]`;
}
