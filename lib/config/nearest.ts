import { editDistance } from "../canonical/mod.ts";

/** Returns the candidate closest to a misspelled name; undefined if none is close. */
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
