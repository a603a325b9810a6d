/**
 * Takes the counts of a total's parts out of it, in order and never more than there is, so that no
 * token is counted twice even where an upstream's counts do not agree.
 */
export function disjoint<Bucket extends string>(
  total: number,
  parts: Readonly<Record<Bucket, number>>,
): { readonly rest: number; readonly taken: Readonly<Record<Bucket, number>> } {
  const taken: Record<Bucket, number> = { ...parts };
  let rest = total;
  for (const bucket of Object.keys(parts) as Bucket[]) { // a record's own keys
    taken[bucket] = Math.min(parts[bucket], rest);
    rest -= taken[bucket];
  }
  return { rest, taken };
}
