import type { Activity } from "../../activity.ts";
import { keys } from "../keys.ts";
import type { Store } from "./store.ts";
import { type Watch, watchKey } from "./watch.ts";

/**
 * Returns the versionstamp of the last change of records that gateways keep in memory; empty before
 * the first.
 */
export async function getChange(store: Store): Promise<string> {
  const { versionstamp } = await store.kv.get(keys.change);
  return versionstamp ?? "";
}

interface ChangeWatchOptions {
  /** Delay before a failed watch is retried. */
  readonly retryMs: number;
  /** Also polls at this interval, in addition to the watch; absent means no polling. */
  readonly pollMs?: number;
  /** Polling pauses without requests, and what waits for its end waits for a poll, too. */
  readonly activity: Activity;
}

/**
 * Calls `changed` with the versionstamp after each change by anybody, this isolate included.
 * Changes may be reported twice or merged, but the last one always arrives. A poll ends with the
 * promise of `changed`, which must not reject.
 */
export function watchChange(
  store: Store,
  changed: (versionstamp: string) => Promise<void>,
  { retryMs, pollMs, activity }: ChangeWatchOptions,
): Watch {
  const watch = watchKey(store, keys.change, ({ versionstamp }) => {
    if (versionstamp !== null) void changed(versionstamp);
  }, retryMs);
  let polling: Promise<void> | undefined;
  const poll = () => polling ??= pollOnce(store, changed).finally(() => polling = undefined);
  const stopPolling = pollMs === undefined ? () => {} : activity.every(pollMs, poll);
  return {
    stop: async () => {
      stopPolling();
      await Promise.all([watch.stop(), polling]);
    },
  };
}

async function pollOnce(
  store: Store,
  changed: (versionstamp: string) => Promise<void>,
): Promise<void> {
  const versionstamp = await getChange(store).catch(() => "");
  if (versionstamp !== "") await changed(versionstamp);
}
