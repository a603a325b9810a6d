/** The candidate that a mistyped name most likely meant; undefined where none is near. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates];
  const longer = names.find((candidate) => name.length > 2 && candidate.startsWith(name));
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? longer;
}

/** How many characters must be put in, left out or replaced (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (to[column] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
