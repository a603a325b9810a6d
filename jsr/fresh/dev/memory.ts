import type { BuildCache, FsRoute, RouteModule, StaticFile } from "../build_cache.ts";
import { registerIslands } from "../islands/registry.ts";
import { build } from "../runtime/build_id.ts";
import { runtimeName, type Script, scriptPath } from "./bundle.ts";
import { type Found, type FoundRoute, hashOf } from "./crawl.ts";
import { contentTypeOf } from "./content_type.ts";
import { fileUrl } from "./path.ts";

/** The result of a build. */
export interface Build extends Found {
  readonly version: string;
  readonly scripts: readonly Script[];
}

/** Serves a build from memory. */
export async function memoryBuildCache(
  { version, routes, islands, files, scripts }: Build,
): Promise<
  BuildCache
> {
  build.id = version;
  const modules = await Promise.all(islands.map(async ({ name, file }) => ({
    name,
    file,
    chunk: scriptPath(version, name),
    module: await load(file),
  })));
  const scriptsByPath = new Map(
    scripts.map(({ pathname, bytes }) => [pathname, bytes]),
  );
  const filesByPath = new Map(files.map((file) => [file.pathname, file]));
  return {
    version,
    runtime: scriptPath(version, runtimeName),
    routes: await Promise.all(routes.map(loadRoute)),
    islands: registerIslands(modules),
    async readFile(pathname: string): Promise<StaticFile | null> {
      const script = scriptsByPath.get(pathname);
      if (script !== undefined) return await scriptFile(pathname, script);
      const found = filesByPath.get(pathname);
      if (found === undefined) return null;
      return {
        ...found,
        body: await Deno.readFile(found.file),
        immutable: false,
      };
    },
  };
}

async function scriptFile(
  pathname: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<StaticFile> {
  const contentType = contentTypeOf(pathname);
  return { body, contentType, hash: await hashOf(body), immutable: true };
}

async function loadRoute(route: FoundRoute): Promise<FsRoute> {
  return route.kind === "route"
    ? { ...route, load: () => load(route.file) }
    : { ...route, module: await load(route.file) };
}

async function load(file: string): Promise<RouteModule> {
  return await import(fileUrl(file));
}
