import type { BuildCache, BuiltIsland, FsRoute, StaticFile } from "./build_cache.ts";
import { type IslandModule, registerIslands } from "./islands/registry.ts";
import { build } from "./runtime/build_id.ts";

/** The snapshot that a build wrote. */
export interface Snapshot {
  readonly version: string;
  readonly runtime: string;
  readonly routes: readonly FsRoute[];
  readonly islands: readonly IslandModule[];
  readonly staticFiles: ReadonlyMap<string, FileRecord>;
}

export interface FileRecord {
  /** Relative to the root of the project. */
  readonly path: string;
  readonly hash: string;
  readonly contentType: string;
  readonly immutable: boolean;
}

/** Serves a snapshot from the disk. */
export class ProdBuildCache implements BuildCache {
  readonly version: string;
  readonly runtime: string;
  readonly routes: readonly FsRoute[];
  readonly islands: ReadonlyMap<unknown, BuiltIsland>;
  readonly #root: string;
  readonly #files: ReadonlyMap<string, FileRecord>;

  constructor(root: string, snapshot: Snapshot) {
    this.version = snapshot.version;
    this.runtime = snapshot.runtime;
    this.routes = snapshot.routes;
    this.islands = registerIslands(snapshot.islands);
    this.#root = root;
    this.#files = snapshot.staticFiles;
    build.id = snapshot.version;
  }

  async readFile(pathname: string): Promise<StaticFile | null> {
    const record = this.#files.get(pathname);
    if (record === undefined) return null;
    try {
      return { ...record, body: await Deno.readFile(`${this.#root}/${record.path}`) };
    } catch (error) {
      // A later build may have removed the file under a running server.
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  }
}
