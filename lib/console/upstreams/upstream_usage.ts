import type { HealthRow } from "../../routing/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { verdictOf } from "../../verdict/mod.ts";

/** The latest call that failed at an upstream. */
export interface LastFailure {
  readonly code: string;
  readonly atMs: number;
  /** The requested model, if the log has the call. */
  readonly model?: string;
  /** The upstream's own words, if the log has them. */
  readonly message?: string;
  /**
   * The call's id; absent if another upstream answered the call, or if the call is not in the log
   * yet.
   */
  readonly callId?: string;
}

/** The latest failure: an attempt in this process, or a call in the log. */
export async function latestFailure(
  store: Store,
  upstreamId: string,
  health: readonly HealthRow[],
): Promise<LastFailure | undefined> {
  const logged = await lastLogged(store, upstreamId);
  const seen: LastFailure[] = health.flatMap(({ lastError }) => lastError ? [lastError] : []);
  const [last] = seen.toSorted((a, b) => b.atMs - a.atMs);
  const isSameCall = last && logged && last.code === logged.code;
  return !last || isSameCall || (logged && logged.atMs > last.atMs) ? logged : last;
}

async function lastLogged(store: Store, upstreamId: string): Promise<LastFailure | undefined> {
  const { rows: [row] } = await listRequestLogs(store, { upstreamId, status: "failed", limit: 1 });
  const message = row && verdictOf(row)?.message;
  return row && {
    code: row.errorCode ?? row.outcome,
    atMs: row.atMs,
    callId: row.id,
    model: row.model,
    ...(message !== undefined && { message }),
  };
}
