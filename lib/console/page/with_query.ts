/** The address of the page at `path` with other query parameters; undefined removes one. */
export function withQuery(
  path: string,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(path, "http://localhost");
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}
