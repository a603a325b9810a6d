import type { BuiltIsland, RouteModule } from "../build_cache.ts";

/** An island file as the server has it, and the script made of it. */
export interface IslandModule {
  readonly name: string;
  readonly file: string;
  readonly chunk: string;
  readonly module: RouteModule;
}

/** Every function that an island file exports is an island, found again by its identity. */
export function registerIslands(
  modules: readonly IslandModule[],
): Map<unknown, BuiltIsland> {
  const islands = new Map<unknown, BuiltIsland>();
  const taken = new Set<string>();
  for (const { name: fileName, file, chunk, module } of modules) {
    for (const [exportName, value] of Object.entries(module)) {
      if (typeof value !== "function") continue;
      const name = uniqueName(
        exportName === "default" ? fileName : exportName,
        taken,
      );
      islands.set(value, { name, exportName, file, chunk });
    }
  }
  return islands;
}

/** A name that is free and that a script can use for a variable. */
export function uniqueName(wanted: string, taken: Set<string>): string {
  const base = wanted.replace(/[^\w$]/g, "_").replace(/^(?=\d)/, "_");
  let name = base;
  for (let n = 1; taken.has(name); n++) name = `${base}_${n}`;
  taken.add(name);
  return name;
}
