import type { App } from "../app.ts";
import { setBuildCache } from "../build_cache.ts";
import { bundleIslands } from "./bundle.ts";
import { crawl } from "./crawl.ts";
import { memoryBuildCache } from "./memory.ts";
import { resolvePath } from "./path.ts";
import { writeBuild } from "./write.ts";

interface BuilderOptions {
  /** The project's folder; the working directory by default. */
  root?: string;
  /** The module that exports `app`. */
  serverEntry?: string;
  outDir?: string;
  /** The folder whose files become scripts: `islands` by default. */
  islandDir?: string;
}

/** Applies a build to an app, so that it knows its file routes, islands and static files. */
type ApplyBuild = <State>(app: App<State>) => void;

/** Builds the islands for browsers and writes the snapshot for the server. */
export class Builder {
  readonly #options: Required<BuilderOptions>;

  constructor(options: BuilderOptions = {}) {
    const root = resolvePath(Deno.cwd(), options.root ?? ".");
    this.#options = {
      root,
      serverEntry: resolvePath(root, options.serverEntry ?? "main.ts"),
      outDir: resolvePath(root, options.outDir ?? "_fresh"),
      islandDir: resolvePath(root, options.islandDir ?? "islands"),
    };
  }

  async build(
    { snapshot = "disk" }: { snapshot?: "disk" | "memory" } = {},
  ): Promise<ApplyBuild> {
    const { root, outDir, serverEntry, islandDir } = this.#options;
    const version = buildId();
    const found = await crawl(root, islandDir);
    const scripts = await bundleIslands({ root, version, islands: found.islands });
    const build = { ...found, version, scripts };
    if (snapshot === "disk") {
      await writeBuild(build, { root, outDir, serverEntry });
      return refuseToApply;
    }
    const cache = await memoryBuildCache(build);
    return (app) => setBuildCache(app, cache);
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
