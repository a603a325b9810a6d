/** One file of `routes/` by its address. */
export interface ConsoleRoute {
  /** Such as `/console/token/[id]/edit`. */
  readonly pattern: string;
  /** It renders a page; the others answer forms, downloads or streams alone. */
  readonly isPage: boolean;
}

const folder = new URL("../../routes/", import.meta.url);

/** Every address of the console, found in `routes/` itself, so that a test can forget none. */
export const consoleRoutes: readonly ConsoleRoute[] = [...routesIn(folder, "")];

function* routesIn(url: URL, path: string): Generator<ConsoleRoute> {
  for (const { name, isDirectory } of Deno.readDirSync(url)) {
    if (isDirectory) yield* routesIn(new URL(`${name}/`, url), `${path}/${name}`);
    else if (!name.startsWith("_")) yield routeOf(new URL(name, url), path);
  }
}

function routeOf(file: URL, path: string): ConsoleRoute {
  const part = file.pathname.split("/").at(-1)?.replace(/\.tsx?$/, "") ?? "";
  return {
    pattern: part === "index" ? path || "/" : `${path}/${part}`,
    isPage: /^export default /m.test(Deno.readTextFileSync(file)),
  };
}

/** The address of a pattern whose parts are known by the path before them. */
export function addressOf(pattern: string, samples: Readonly<Record<string, string>>): string {
  return pattern.replace(/\[[^\]]+\]/g, (_part, at: number) => {
    const sample = samples[pattern.slice(0, at)];
    if (sample === undefined) throw new Error(`No sample stands for the part in ${pattern}`);
    return sample;
  });
}
