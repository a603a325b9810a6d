import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

interface AlertPass {
  readonly begunAtMs: number;
  readonly runId: string;
}

/**
 * Claims one check of every budget and balance: every `intervalMs`, one isolate gets it. With
 * `atStart`, a recent check counts only if it was during the same start of this process.
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
