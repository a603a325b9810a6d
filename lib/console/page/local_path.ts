/** Only the console's own pages are gone to from a parameter. */
const base = "http://localhost";

/**
 * A path of this site that a parameter may send the browser to, with its query; else `fallback`.
 * Another host, a scheme, a backslash or a control character, which browsers drop or turn, is none.
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
