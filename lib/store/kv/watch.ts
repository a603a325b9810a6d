import type { Store } from "./store.ts";

export interface Watch {
  stop(): Promise<void>;
}

/**
 * Calls `changed` with a key's entry now and after each change of it, by anybody. Some changes may
 * be told twice, and several may be told as one: the last is always told. A watch that breaks is
 * begun again after a while.
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
      // The connection broke: what was missed is told when the next watch begins.
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
