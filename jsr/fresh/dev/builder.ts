import type { App } from "../app.ts";
import { setBuildCache } from "../build_cache.ts";
import type { ListenOptions } from "../types.ts";
import { bundleIslands } from "./bundle.ts";
import { crawl } from "./crawl.ts";
import { memoryBuildCache } from "./memory.ts";
import { resolvePath } from "./path.ts";
import { writeBuild } from "./write.ts";

export interface BuilderOptions {
  /** The project's folder; the working directory by default. */
  root?: string;
  /** The module that exports `app`. */
  serverEntry?: string;
  outDir?: string;
  staticDir?: string;
  islandDir?: string;
  routeDir?: string;
  /** The browser targets for esbuild. */
  target?: string | string[];
}

export interface BuildOptions {
  mode?: "development" | "production";
  snapshot?: "disk" | "memory";
}

/** Applies a build to an app, so that it knows its file routes, islands and static files. */
export type ApplyBuild = <State>(app: App<State>) => void;

/** Builds the islands for browsers and writes the snapshot for the server. */
export class Builder {
  readonly #options: Required<BuilderOptions>;

  constructor(options: BuilderOptions = {}) {
    const root = resolvePath(Deno.cwd(), options.root ?? ".");
    const inRoot = (path: string) => resolvePath(root, path);
    this.#options = {
      root,
      serverEntry: inRoot(options.serverEntry ?? "main.ts"),
      outDir: inRoot(options.outDir ?? "_fresh"),
      staticDir: inRoot(options.staticDir ?? "static"),
      islandDir: inRoot(options.islandDir ?? "islands"),
      routeDir: inRoot(options.routeDir ?? "routes"),
      target: options.target ?? "es2022",
    };
  }

  async build({ mode = "production", snapshot = "disk" }: BuildOptions = {}): Promise<ApplyBuild> {
    const { root, outDir, serverEntry, target } = this.#options;
    const version = buildId();
    const found = await crawl(this.#options);
    const scripts = await bundleIslands({ root, version, target, mode, islands: found.islands });
    const build = { ...found, version, scripts };
    if (snapshot === "disk") {
      await writeBuild(build, { root, outDir, serverEntry });
      return refuseToApply;
    }
    const cache = await memoryBuildCache(build);
    return (app) => setBuildCache(app, cache);
  }

  /** Builds in memory and serves; the caller restarts it when a source changes. */
  async listen<State>(
    load: () => Promise<{ app: App<State> }>,
    { port = 8000, hostname = "localhost", signal, onListen }: ListenOptions = {},
  ): Promise<void> {
    const apply = await this.build({ mode: "development", snapshot: "memory" });
    const { app } = await load();
    apply(app);
    await Deno.serve({ port, hostname, signal, onListen }, app.handler()).finished;
  }
}

/** A build on disk has its own `server.js`; loading every page here would only cost time. */
function refuseToApply(): never {
  throw new Error(
    "Cannot apply build: it is on the disk, so start its server.js or build in memory",
  );
}

/** The name of a build: the commit, if a known builder names it, else a random one. */
function buildId(): string {
  for (const name of ["GITHUB_SHA", "CI_COMMIT_SHA", "DENO_DEPLOYMENT_ID"]) {
    const value = Deno.env.get(name);
    if (value) return value;
  }
  return crypto.getRandomValues(new Uint8Array(20)).toHex();
}
