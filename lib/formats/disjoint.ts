/**
 * Subtracts the counts of a total's parts from it, in order and never below zero, so that no token
 * is counted twice even if an upstream's counts disagree.
 */
export function disjoint<Bucket extends string>(
  total: number,
  parts: Readonly<Record<Bucket, number>>,
): { readonly rest: number; readonly taken: Readonly<Record<Bucket, number>> } {
  const taken: Record<Bucket, number> = { ...parts };
  let rest = total;
  for (const bucket in parts) {
    taken[bucket] = Math.min(parts[bucket], rest);
    rest -= taken[bucket];
  }
  return { rest, taken };
}
