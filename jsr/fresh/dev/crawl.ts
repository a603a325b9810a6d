import type { SpecialFile } from "../build_cache.ts";
import { uniqueName } from "../islands/registry.ts";
import { baseName, listFiles, relativePath } from "./path.ts";
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

export async function crawl(root: string, islandDir: string): Promise<Found> {
  const routeDir = `${root}/routes`;
  const sorted = (await listFiles(routeDir)).filter(isModule).toSorted((a, b) =>
    compareRoutes(relativePath(routeDir, a), relativePath(routeDir, b))
  );
  return {
    root,
    routes: sorted.map((file) => routeOf(file, routeDir)),
    islands: namedIslands((await listFiles(islandDir)).filter(isModule)),
    files: await staticFilesIn(`${root}/static`),
  };
}

function isModule(file: string): boolean {
  return /\.(tsx?|jsx?|mjs|mts)$/.test(file) && !/[._]test\.\w+$/.test(file);
}

const specialFiles: Readonly<Record<string, SpecialFile>> = {
  _app: "app",
  _middleware: "middleware",
};

function routeOf(file: string, routeDir: string): FoundRoute {
  const relative = relativePath(routeDir, file);
  const folder = folderOf(relative);
  const name = baseName(file);
  if (Object.hasOwn(specialFiles, name)) return { kind: specialFiles[name], file, folder };
  if (!name.startsWith("_")) return { kind: "route", file, folder, path: pathOf(relative) };
  throw new Error(`Cannot build: this stand-in has no ${name} files (${relative})`);
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
