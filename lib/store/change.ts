import { keys } from "./keys.ts";
import type { Store } from "./store.ts";

/** The versionstamp of the last change of what gateways keep in memory; empty before the first. */
export async function getChange(store: Store): Promise<string> {
  const { versionstamp } = await store.kv.get(keys.change);
  return versionstamp ?? "";
}

export interface ChangeWatch {
  stop(): Promise<void>;
}

export interface ChangeWatchOptions {
  /** How long after a failed watch it is tried again. */
  readonly retryMs: number;
  /** Beside the watch, also ask this often; absent means not. */
  readonly pollMs?: number;
}

/**
 * Calls `changed` with the versionstamp after each change by anybody, this isolate included. Some
 * may be told twice, and several may be told as one: the last is always told.
 */
export function watchChange(
  store: Store,
  changed: (versionstamp: string) => void,
  options: ChangeWatchOptions,
): ChangeWatch {
  const stopping = new AbortController();
  const ends = [watchUntil(stopping.signal, store, changed, options.retryMs)];
  if (options.pollMs !== undefined) {
    ends.push(pollUntil(stopping.signal, store, changed, options.pollMs));
  }
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(ends);
    },
  };
}

async function watchUntil(
  signal: AbortSignal,
  store: Store,
  changed: (versionstamp: string) => void,
  retryMs: number,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await readWatch(signal, store, changed);
    } catch {
      // The connection broke: what was missed is told when the next watch begins.
    }
    await pause(retryMs, signal);
  }
}

async function readWatch(
  signal: AbortSignal,
  store: Store,
  changed: (versionstamp: string) => void,
): Promise<void> {
  const reader = store.kv.watch([keys.change]).getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      const versionstamp = value[0].versionstamp;
      if (versionstamp !== null) changed(versionstamp);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    Deno.unrefTimer(timer);
    signal.addEventListener("abort", end, { once: true });
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
