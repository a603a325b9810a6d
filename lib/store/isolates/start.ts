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
