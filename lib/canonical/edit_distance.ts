/** The Levenshtein distance: how many characters must be inserted, deleted or replaced. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, row[j] + 1, next[j - 1] + 1);
    }
    row = next;
  }
  return row[to.length];
}
