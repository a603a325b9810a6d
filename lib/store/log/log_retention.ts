import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/** The time from which the log is complete, apart from expired rows. */
interface Kept {
  readonly retentionMs: number;
  readonly fromMs: number;
}

/**
 * Stores the current retention. If it was shorter before, older rows are missing although the new
 * retention would include them.
 */
export async function noteLogRetention(store: Store, nowMs: number): Promise<void> {
  const entry = await store.kv.get<Kept>(keys.logKept);
  const { logRetentionMs: retentionMs } = store;
  if (entry.value?.retentionMs === retentionMs) return;
  const fromMs = entry.value === null ? 0 : keptFrom(entry.value, nowMs);
  await store.kv.atomic().check(entry).set(keys.logKept, { retentionMs, fromMs }).commit(); // a concurrent writer notes the same value
}

/** Returns the time from which every call must be in the log. */
export async function logKeptFrom(store: Store, nowMs: number): Promise<number> {
  const { value } = await store.kv.get<Kept>(keys.logKept);
  return keptFrom({ fromMs: value?.fromMs ?? 0, retentionMs: store.logRetentionMs }, nowMs);
}

function keptFrom({ fromMs, retentionMs }: Kept, nowMs: number): number {
  return Math.max(fromMs, nowMs - retentionMs);
}
