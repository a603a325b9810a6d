import type { Store } from "./store.ts";

export interface Watch {
  stop(): Promise<void>;
}

/**
 * Calls `changed` with a key's entry now and after each change by anybody. Changes may be reported
 * twice or merged, but the last one always arrives. A broken watch is restarted after a while.
 */
export function watchKey(
  store: Store,
  key: Deno.KvKey,
  changed: (entry: Deno.KvEntryMaybe<unknown>) => void,
  retryMs = 500,
): Watch {
  const stopping = new AbortController();
  const end = watchUntil(
    stopping.signal,
    () => readWatch(stopping.signal, store, key, changed),
    retryMs,
  );
  return {
    stop: async () => {
      stopping.abort();
      await end;
    },
  };
}

async function watchUntil(
  signal: AbortSignal,
  read: () => Promise<void>,
  retryMs: number,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await read();
    } catch {
      // The connection broke: the next watch reports the missed changes.
    }
    await pause(retryMs, signal);
  }
}

async function readWatch(
  signal: AbortSignal,
  store: Store,
  key: Deno.KvKey,
  changed: (entry: Deno.KvEntryMaybe<unknown>) => void,
): Promise<void> {
  const reader = store.kv.watch([key]).getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      changed(value[0]);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Ends early when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
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
