/** The base for parsing: only the console's own pages are valid targets of a parameter. */
const base = "http://localhost";

/**
 * Returns a parameter's path with its query if it leads to a page of this site; else `fallback`.
 * Rejects other hosts, schemes, backslashes and control characters, which browsers drop or convert.
 */
export function localPath(text: string | null | undefined, fallback: string): string {
  if (!text || text.length > 2_000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return fallback;
  try {
    const url = new URL(text, base);
    const path = url.pathname + url.search;
    return url.origin === base && !path.startsWith("//") ? path : fallback;
  } catch {
    return fallback;
  }
}
