import type { Island } from "./types.ts";

/** The result of a build for the app: file routes, islands and static files. */
export interface BuildCache {
  readonly version: string;
  readonly routes: readonly FsRoute[];
  readonly islands: ReadonlyMap<unknown, BuiltIsland>;
  readonly runtime: string;
  readFile(pathname: string): Promise<StaticFile | null>;
}

/** An island and the script that starts it in the browser. */
export interface BuiltIsland extends Island {
  readonly chunk: string;
}

/** A file of the routes folder; the steps of its folder are compared as text. */
export type FsRoute =
  | {
    readonly kind: SpecialFile;
    readonly folder: readonly string[];
    readonly module: RouteModule;
  }
  | {
    readonly kind: "route";
    readonly folder: readonly string[];
    readonly path: string;
    readonly load: () => Promise<RouteModule>;
  };

export type SpecialFile = "app" | "middleware";

/** The unchecked exports of a route file. */
export type RouteModule = Readonly<Record<string, unknown>>;

export interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly hash: string;
  readonly contentType: string;
  /** True if the address changes with the content. */
  readonly immutable: boolean;
}

export function buildCacheOf(app: object): BuildCache | null {
  return caches.get(app) ?? null;
}

export function setBuildCache(app: object, cache: BuildCache): void {
  caches.set(app, cache);
}

const caches = new WeakMap<object, BuildCache>();
