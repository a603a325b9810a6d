import { getHeapSpaceStatistics } from "node:v8";

/** The bytes of objects in V8's old generation, dead ones included until the next full collection. */
function oldBytes(): number {
  const isOld = (name: string) => name === "old_space" || name === "large_object_space";
  return getHeapSpaceStatistics().filter(({ space_name }) => isOld(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

/** Allocates so much that what is alive is moved to the old generation. */
export function promoteLiving(): void {
  let last: unknown;
  for (let n = 0; n < 400_000; n++) last = new Array(60).fill(n);
  if (last === undefined) throw new Error("nothing was allocated");
}

/**
 * The bytes by which the old generation grows for each of `times` steps. A full collection in the
 * middle counts as no growth.
 */
export async function promotedPer(times: number, step: () => unknown): Promise<number> {
  let grown = 0;
  let before = oldBytes();
  for (let n = 1; n <= times; n++) {
    await step();
    if (n % 100 > 0 && n < times) continue;
    const now = oldBytes();
    grown += Math.max(0, now - before);
    before = now;
  }
  return grown / times;
}
