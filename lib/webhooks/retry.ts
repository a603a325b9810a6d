const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** Delays after failed attempts, as Standard Webhooks suggests: three days in all. */
const delaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;

const longestMs = 24 * hourMs;
/** The maximum share added to a delay, so that simultaneous failures are not retried together. */
const jitterShare = 0.2;

/** Returns the delay after a number of attempts, or the receiver's longer one; undefined to give up. */
export function retryDelayMs(
  attempts: number,
  { random, askedMs = 0 }: { readonly random: () => number; readonly askedMs?: number },
): number | undefined {
  const delayMs = delaysMs.at(attempts - 1);
  if (attempts < 1 || delayMs === undefined) return undefined;
  const jittered = Math.round(delayMs * (1 + jitterShare * random()));
  return Math.max(jittered, Math.min(askedMs, longestMs));
}

/** Returns the delay of a `retry-after` header, in seconds or as a date; undefined if it has none. */
export function askedDelayMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const askedMs = /^\d{1,9}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - nowMs;
  return askedMs > 0 ? askedMs : undefined;
}
