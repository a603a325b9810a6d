import type { StoreChange, StoreHealth } from "../store/mod.ts";

/** Enough for a few more attempts: a disk fault rarely passes while a caller waits. */
const knownFaultWaitMs = 250;

/**
 * Resolves to true if a record is stored in time. Waits `waitMs` for a silent store, for example
 * during its restart, but only briefly for a known fault. Rejects if `stored` rejects.
 */
export async function isStoredInTime(
  stored: Promise<unknown>,
  health: StoreHealth,
  waitMs: number,
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timers = [setTimeout(() => resolve(false), waitMs)];
  const hurry = ({ fault }: Pick<StoreChange, "fault">) => {
    if (fault === undefined || fault === "silent") return;
    timers.push(setTimeout(() => resolve(false), Math.min(knownFaultWaitMs, waitMs)));
  };
  const stop = health.onChange(hurry);
  hurry(health);
  try {
    return await Promise.race([stored.then(() => true), late]);
  } finally {
    stop();
    timers.forEach(clearTimeout);
  }
}
