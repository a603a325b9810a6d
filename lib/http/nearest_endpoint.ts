import type { Endpoint } from "../formats/endpoint.ts";

/** The address of an endpoint, its parameters in braces. */
export function addressOf({ path, verb }: Endpoint): string {
  return verb ? `${path}:${verb}` : path;
}

/** One character of four may be a typo, and this many in all. */
const typosMax = 4;
const pathCharsMax = 200;

/** The row whose address was probably meant: one that goes on from the path, or that a typo changed. */
export function nearestRow<Row extends { readonly endpoint: Endpoint }>(
  rows: readonly Row[],
  path: string,
): Row | undefined {
  if (path.length > pathCharsMax) return undefined;
  const longer = rows.find(({ endpoint }) => addressOf(endpoint).startsWith(`${path}/`));
  if (longer && path.split("/").length > 2) return longer;
  const ranked = rows.map((row) => ({ row, far: distance(addressOf(row.endpoint), path) }));
  const best = ranked.reduce((best, next) => next.far < best.far ? next : best);
  return best.far <= Math.min(typosMax, path.length / 4) ? best.row : undefined;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
