import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/** The latest search for lost payments, by any isolate. */
interface PaymentPass {
  /** Start of the last pass. */
  readonly begunAtMs: number;
  /** The start of the process that ran it. */
  readonly runId: string;
  /** Everything before this moment was covered by a completed pass. */
  readonly doneUntilMs: number;
}

/** The turn to search for lost payments; one isolate at a time gets it. */
interface PassTurn {
  /** The pass covers everything from this moment on; 0 before the first pass. */
  readonly sinceMs: number;
  /** Records that everything until the start of the pass was covered. */
  readonly done: () => Promise<void>;
}

/**
 * Returns undefined if a pass began less than `intervalMs` ago. With `atStart`, that counts only if
 * it was during the same start of this process: payments missed while it was down are searched for
 * at once.
 */
export async function takePaymentPass(
  store: Store,
  { nowMs, intervalMs, atStart }: {
    readonly nowMs: number;
    readonly intervalMs: number;
    readonly atStart: boolean;
  },
): Promise<PassTurn | undefined> {
  const entry = await store.kv.get<PaymentPass>(keys.paymentPass); // only this function writes it
  const last = entry.value;
  const recent = last !== null && nowMs - last.begunAtMs < intervalMs;
  if (recent && !(atStart && last.runId !== store.runId)) return undefined;
  const sinceMs = last?.doneUntilMs ?? 0;
  const pass = { begunAtMs: nowMs, runId: store.runId, doneUntilMs: sinceMs };
  const { ok } = await store.kv.atomic().check(entry).set(keys.paymentPass, pass).commit();
  if (!ok) return undefined;
  const done = async () => {
    await store.kv.set(keys.paymentPass, { ...pass, doneUntilMs: nowMs });
  };
  return { sinceMs, done };
}
