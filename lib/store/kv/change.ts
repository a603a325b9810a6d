import { keys } from "../keys.ts";
import type { Store } from "./store.ts";
import { pause, type Watch, watchKey } from "./watch.ts";

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
}

/**
 * Calls `changed` with the versionstamp after each change by anybody, this isolate included.
 * Changes may be reported twice or merged, but the last one always arrives.
 */
export function watchChange(
  store: Store,
  changed: (versionstamp: string) => void,
  { retryMs, pollMs }: ChangeWatchOptions,
): Watch {
  const watch = watchKey(store, keys.change, ({ versionstamp }) => {
    if (versionstamp !== null) changed(versionstamp);
  }, retryMs);
  const stopping = new AbortController();
  const polling = pollMs && pollUntil(stopping.signal, store, changed, pollMs);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([watch.stop(), polling]);
    },
  };
}

async function pollUntil(
  signal: AbortSignal,
  store: Store,
  changed: (versionstamp: string) => void,
  pollMs: number,
): Promise<void> {
  while (!signal.aborted) {
    await pause(pollMs, signal);
    if (signal.aborted) return;
    const versionstamp = await getChange(store).catch(() => "");
    if (versionstamp !== "") changed(versionstamp);
  }
}
