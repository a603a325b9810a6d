import type { Store } from "./store.ts";

/** Progress of a pass over the store. */
interface Progress {
  /** The step to run next; past the last step, all are done. */
  readonly kind: number;
  /** The number of steps, if it is known. A release with other steps begins again. */
  readonly of?: number;
  readonly cursor: string;
  /** The isolate at work; others wait until `leftUntilMs` before they take over. */
  readonly by: string;
  readonly runId: string;
  readonly leftUntilMs: number;
}

/** The result of one step over some entries. */
export interface Step {
  /** The position after the last of these entries; empty at the end. */
  readonly cursor: string;
  /** The number of changed values. */
  readonly count: number;
}

interface Pass {
  /** The key of the progress. */
  readonly key: Deno.KvKey;
  /** Each changes some entries from the cursor on, so that repeating it does no harm. */
  readonly steps: readonly ((cursor: string) => Promise<Step>)[];
  readonly signal: AbortSignal;
}

const notBegun: Progress = { kind: 0, cursor: "", by: "", runId: "", leftUntilMs: 0 };
const leftMs = 30_000;

/**
 * Runs all steps once per store, in one isolate at a time; an interrupted pass continues. Returns
 * the number of values that this call changed, and whether all steps are done.
 */
export async function runPass(
  store: Store,
  { key, steps, signal }: Pass,
): Promise<{ readonly count: number; readonly isDone: boolean }> {
  const by = crypto.randomUUID();
  let count = 0;
  while (!signal.aborted) {
    const entry = await store.kv.get<Progress>(key); // only this function writes it
    const last = progressIn(entry.value, steps.length);
    if (last.kind >= steps.length) return { count, isDone: true };
    if (last.by !== by && isAlive(store, last)) break;
    const step = await steps[last.kind](last.cursor);
    count += step.count;
    const progress: Progress = {
      kind: step.cursor === "" ? last.kind + 1 : last.kind,
      of: steps.length,
      cursor: step.cursor,
      by,
      runId: store.runId,
      leftUntilMs: signal.aborted ? 0 : Date.now() + leftMs,
    };
    const { ok } = await store.kv.atomic().check(entry).set(entry.key, progress).commit();
    if (!ok) break; // another isolate has taken over
  }
  return { count, isDone: false };
}

function progressIn(value: Progress | null, steps: number): Progress {
  return value === null || (value.of ?? steps) !== steps ? notBegun : value;
}

/**
 * Returns true if the isolate at work may still be running. Its process must be this one, unless
 * several processes share the store.
 */
function isAlive({ sharedByProcesses, runId }: Store, turn: Progress): boolean {
  return (sharedByProcesses || turn.runId === runId) && turn.leftUntilMs > Date.now();
}
