import type { StoreChange, StoreHealth } from "../store/mod.ts";

/** For a few more tries: a fault of the disk seldom passes while a caller waits. */
const knownFaultWaitMs = 250;

/**
 * Whether a record is stored in time: waits `waitMs` for a store that does not answer, such as one
 * that restarts, and hardly at all for one whose fault is known. Rejects where `stored` does.
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
