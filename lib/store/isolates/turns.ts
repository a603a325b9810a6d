import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/** Longer than the start of all isolates of one process. */
const claimMs = 24 * 60 * 60 * 1_000;

/**
 * Claims the start of this process. Returns true in only one of its isolates, which prints the
 * start-up notices.
 */
export async function claimStart(store: Store): Promise<boolean> {
  const key = keys.startOfRun(store.runId);
  const { ok } = await store.kv.atomic()
    .check({ key, versionstamp: null })
    .set(key, true, { expireIn: claimMs })
    .commit();
  return ok;
}

/** The latest pass of a periodic search, by any isolate. */
interface Pass {
  readonly begunAtMs: number;
  /** The start of the process that ran it. */
  readonly runId: string;
  /** Everything before this moment was covered by a completed pass. */
  readonly doneUntilMs: number;
}

/** The turn to search; one isolate at a time gets it. */
interface PassTurn {
  /** The pass covers everything from this moment on; 0 before the first completed pass. */
  readonly sinceMs: number;
  /** Records that everything until the start of the pass was covered. */
  readonly done: () => Promise<void>;
}

/** The subject of the search: every budget and balance, lost payments, or new prices. */
const passKeys = {
  alerts: keys.alertPass,
  payments: keys.paymentPass,
  prices: keys.pricePass,
} as const;

/**
 * Claims one pass: every `intervalMs`, one isolate gets it, and the others undefined. With `atStart`,
 * a recent pass counts only if it was during the same start of this process: what was missed while it
 * was down is searched for at once.
 */
export async function takePass(
  store: Store,
  searched: keyof typeof passKeys,
  { nowMs, intervalMs, atStart }: {
    readonly nowMs: number;
    readonly intervalMs: number;
    readonly atStart: boolean;
  },
): Promise<PassTurn | undefined> {
  const entry = await store.kv.get<Pass>(passKeys[searched]); // only this function writes it
  const last = entry.value;
  const recent = last !== null && nowMs - last.begunAtMs < intervalMs;
  if (recent && !(atStart && last.runId !== store.runId)) return undefined;
  const sinceMs = last?.doneUntilMs ?? 0;
  const pass = { begunAtMs: nowMs, runId: store.runId, doneUntilMs: sinceMs };
  const { ok } = await store.kv.atomic().check(entry).set(entry.key, pass).commit();
  if (!ok) return undefined;
  const done = async () => {
    await store.kv.set(entry.key, { ...pass, doneUntilMs: nowMs });
  };
  return { sinceMs, done };
}
