import { assert } from "@std/assert";

/** Waits for a condition that other work brings about, five seconds where no other time is given. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  problem = "the condition did not come about",
  waitMs = 5_000,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (!await holds()) {
    assert(performance.now() < deadline, problem);
    await later(5);
  }
}

/** Resolves after so many milliseconds. */
export function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
