import { build } from "./build_id.ts";

/** The query parameter that ties the address of a static file to one build. */
export const cacheBustKey = "__frsh_c";

/** The address of a static file for this build, which browsers may keep for ever. */
export function asset(path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const url = URL.parse(path, "http://localhost");
  if (url === null || url.searchParams.has(cacheBustKey)) return path;
  url.searchParams.set(cacheBustKey, build.id);
  return url.pathname + url.search + url.hash;
}
