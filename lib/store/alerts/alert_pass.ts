import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

interface AlertPass {
  readonly begunAtMs: number;
  readonly runId: string;
}

/**
 * The right to look at every budget and balance once: of all isolates that ask, one gets it every
 * `intervalMs`. At the start of a process that only counts where it was this same start.
 */
export async function takeAlertPass(
  store: Store,
  { nowMs, intervalMs, atStart }: {
    readonly nowMs: number;
    readonly intervalMs: number;
    readonly atStart: boolean;
  },
): Promise<boolean> {
  const entry = await store.kv.get<AlertPass>(keys.alertPass); // only this function writes it
  const last = entry.value;
  const recent = last !== null && nowMs - last.begunAtMs < intervalMs;
  if (recent && !(atStart && last.runId !== store.runId)) return false;
  const pass: AlertPass = { begunAtMs: nowMs, runId: store.runId };
  return (await store.kv.atomic().check(entry).set(keys.alertPass, pass).commit()).ok;
}
