import { listRequestLogs, type LogFilter } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";

interface LiveOptions {
  /** Calls that ended before are not new. */
  readonly sinceMs: number;
  readonly signal: AbortSignal;
  /** The poll interval and the longest stream: listeners reconnect while their session lasts. */
  readonly everyMs?: number;
  readonly lifetimeMs?: number;
}

/** Counting stops here: the notice says `200+`. */
const countMax = 200;
/** Calls that started longer ago are not counted as new. */
const longestCallMs = 3_600_000;

/**
 * Streams the number of new calls as server-sent events, whenever it changes; otherwise a comment,
 * which reveals a broken connection.
 */
export async function* newCalls(
  store: Store,
  filter: LogFilter,
  { sinceMs, signal, everyMs = 2_000, lifetimeMs = 60_000 }: LiveOptions,
): AsyncGenerator<string> {
  let sent = "0";
  for (let passedMs = 0; passedMs < lifetimeMs && !signal.aborted; passedMs += everyMs) {
    const count = await countNew(store, filter, sinceMs);
    yield count === sent ? ":\n\n" : `data: ${count}\n\n`;
    sent = count;
    await pause(everyMs, signal);
  }
}

async function countNew(store: Store, filter: LogFilter, sinceMs: number): Promise<string> {
  const fromMs = Math.max(filter.fromMs ?? 0, sinceMs - longestCallMs);
  const { rows } = await listRequestLogs(store, { ...filter, fromMs, limit: countMax });
  const count = rows.filter(({ atMs, durationMs }) => atMs + durationMs > sinceMs).length;
  return count === countMax ? `${countMax}+` : String(count);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
