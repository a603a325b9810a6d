import type { Limits } from "../../lib/config.ts";

/** A hundred values of 64 KiB, which one request may fetch, at one megabit a second. */
const slowMs = 60_000;

/** The time limit of a task's operation on a distant store: no caller waits for it. */
export function taskWaitMs({ storeWaitMs }: Pick<Limits, "storeWaitMs">): number {
  return Math.max(storeWaitMs, slowMs);
}
