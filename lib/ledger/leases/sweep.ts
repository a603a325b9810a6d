import {
  type BeatenIsolate,
  type InFlightChunk,
  type Isolate,
  listBeats,
  listInFlight,
  listIsolates,
  markSwept,
  removeIsolate,
} from "../../store/isolates/mod.ts";
import { getRequestLog } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { listLeases, releaseLease } from "../../store/money/mod.ts";
import { compactRows, settleInFlight } from "../../store/settling/mod.ts";

/** The age of the last heartbeat at which an isolate counts as dead. */
const deadAfterMs = 30_000;

/** Sweeps isolates that are dead by their own clocks, at start-up; returns their number. */
export async function sweepDead(store: Store, nowMs: number): Promise<number> {
  const dead = (await listIsolates(store)).filter((isolate) => isDead(store, isolate, nowMs));
  for (const { id } of dead) await sweepIsolate(store, id);
  return dead.length;
}

/** Two and a half heartbeat intervals of an isolate without calls. */
const silentAfterMs = 25_000;

/** Times each isolate's last new heartbeat by the observer's clock: other clocks may be wrong. */
export class HeartbeatMonitor {
  #seen = new Map<string, { readonly beat: string; readonly sinceMs: number }>();

  /** The isolates without a new heartbeat for too long; `elapsedMs` is a monotonic clock. */
  silent(isolates: readonly BeatenIsolate[], elapsedMs: number): string[] {
    this.#seen = new Map(isolates.map(({ id, beat }) => {
      const seen = this.#seen.get(id);
      return [id, seen?.beat === beat ? seen : { beat, sinceMs: elapsedMs }];
    }));
    return [...this.#seen].filter(([, { sinceMs }]) => elapsedMs - sinceMs > silentAfterMs)
      .map(([id]) => id);
  }
}

/** Sweeps every isolate without a recent heartbeat. */
export async function sweepSilent(
  store: Store,
  signs: HeartbeatMonitor,
  elapsedMs: number,
): Promise<void> {
  for (const id of signs.silent(await listBeats(store), elapsedMs)) await sweepIsolate(store, id);
}

/**
 * Settles a dead isolate: charges its calls in flight as interrupted, by their last snapshots; then
 * gives its leases back and deletes its record. Idempotent, also with concurrent sweepers. Calls in
 * `alive` continue under another record, which settles them.
 */
export async function sweepIsolate(
  store: Store,
  isolateId: string,
  alive: ReadonlySet<string> = new Set(),
): Promise<void> {
  await markSwept(store, isolateId);
  await compactRows(store, { isolateId });
  for (let chunks = await listInFlight(store, isolateId); chunks.length > 0;) {
    for (const chunk of chunks) await settleLast(store, isolateId, { chunk, alive });
    chunks = await listInFlight(store, isolateId);
  }
  for (let leases = await listLeases(store, isolateId); leases.length > 0;) {
    for (const lease of leases) await releaseLease(store, isolateId, lease);
    leases = await listLeases(store, isolateId);
  }
  await compactRows(store, { isolateId });
  await removeIsolate(store, isolateId);
}

/** Returns true if the heartbeat is old, or is from an earlier run on a single-process store. */
function isDead(store: Store, { runId, heartbeatAtMs }: Isolate, nowMs: number): boolean {
  if (!store.sharedByProcesses && runId !== store.runId) return true;
  return nowMs - heartbeatAtMs > deadAfterMs;
}

async function settleLast(
  store: Store,
  isolateId: string,
  { chunk, alive }: { readonly chunk: InFlightChunk; readonly alive: ReadonlySet<string> },
): Promise<void> {
  const row = chunk.flights.at(-1)?.row;
  const known = row !== undefined &&
    (alive.has(row.id) || await getRequestLog(store, row.id) !== undefined);
  await settleInFlight(store, { chunk, isolateId, known });
}
