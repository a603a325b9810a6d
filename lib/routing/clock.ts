/** Time as attempts need it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after a while, and earlier when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The real clock; whoever aborts no longer waits. */
export const systemClock: Clock = {
  now: Date.now,
  wait: (ms, signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    return promise;
  },
};
