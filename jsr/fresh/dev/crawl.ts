import type { SpecialFile } from "../build_cache.ts";
import { uniqueName } from "../islands/registry.ts";
import { baseName, fileUrl, listFiles, relativePath } from "./path.ts";
import { contentTypeOf } from "./content_type.ts";
import { compareRoutes, folderOf, pathOf } from "./route_path.ts";

/** The files of a project by kind. */
export interface Found {
  readonly root: string;
  readonly routes: readonly FoundRoute[];
  readonly islands: readonly FoundIsland[];
  readonly files: readonly FoundFile[];
}

export type FoundRoute =
  & { readonly file: string; readonly folder: readonly string[] }
  & ({ readonly kind: SpecialFile } | {
    readonly kind: "route";
    readonly path: string;
  });

export interface FoundIsland {
  readonly name: string;
  readonly file: string;
}

export interface FoundFile {
  readonly pathname: string;
  readonly file: string;
  readonly hash: string;
  readonly contentType: string;
}

interface Folders {
  readonly root: string;
  readonly routeDir: string;
  readonly islandDir: string;
  readonly staticDir: string;
}

export async function crawl(
  { root, routeDir, islandDir, staticDir }: Folders,
): Promise<Found> {
  const modules = (await listFiles(routeDir)).filter(isModule);
  const routeFiles = modules.filter((file) => !isPrivate(relativePath(routeDir, file)));
  const sorted = routeFiles.toSorted((a, b) =>
    compareRoutes(relativePath(routeDir, a), relativePath(routeDir, b))
  );
  const routes = await Promise.all(
    sorted.map((file) => routeOf(file, routeDir)),
  );
  const islandFiles = [
    ...(await listFiles(islandDir)).filter(isModule),
    ...modules.filter((file) => file.includes("/(_islands)/")),
  ];
  return {
    root,
    routes: routes.filter((route) => route !== null),
    islands: namedIslands(islandFiles),
    files: await staticFilesIn(staticDir),
  };
}

function isModule(file: string): boolean {
  return /\.(tsx?|jsx?|mjs|mts)$/.test(file) && !/[._]test\.\w+$/.test(file);
}

/** Folders like `(_components)` hold parts of pages, and no pages. */
function isPrivate(path: string): boolean {
  return path.split("/").some((step) => step.startsWith("(_"));
}

const specialFiles: Readonly<Record<string, SpecialFile>> = {
  _app: "app",
  _middleware: "middleware",
  _layout: "layout",
  _error: "error",
  _404: "notFound",
};

async function routeOf(
  file: string,
  routeDir: string,
): Promise<FoundRoute | null> {
  const relative = relativePath(routeDir, file);
  const folder = folderOf(relative);
  const name = baseName(file);
  if (Object.hasOwn(specialFiles, name)) {
    return { kind: specialFiles[name], file, folder };
  }
  if (name.startsWith("_")) return null;
  return {
    kind: "route",
    file,
    folder,
    path: await overrideOf(file) ?? pathOf(relative),
  };
}

/** A page may set its own address; only files that mention this are loaded to read it. */
async function overrideOf(file: string): Promise<string | null> {
  if (!(await Deno.readTextFile(file)).includes("routeOverride")) return null;
  const { config } = await import(fileUrl(file));
  return config?.routeOverride ?? null;
}

function namedIslands(files: readonly string[]): FoundIsland[] {
  const taken = new Set(["fresh-runtime"]);
  return files.map((file) => ({
    file,
    name: uniqueName(baseName(file), taken),
  }));
}

async function staticFilesIn(staticDir: string): Promise<FoundFile[]> {
  const files = (await listFiles(staticDir)).filter((file) =>
    !/\/\.(?!well-known\/)/.test(file.slice(staticDir.length))
  );
  return await Promise.all(files.map(async (file) => ({
    pathname: `/${relativePath(staticDir, file)}`,
    file,
    hash: await hashOf(await Deno.readFile(file)),
    contentType: contentTypeOf(file),
  })));
}

export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
