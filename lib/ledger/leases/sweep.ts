import type { Store } from "../../store/mod.ts";
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
import { listLeases, releaseLease } from "../../store/money/mod.ts";
import { compactRows, settleInFlight } from "../../store/settling/mod.ts";

/** An isolate is taken for dead when its last sign of life is older. */
const deadAfterMs = 30_000;

/** Sweeps every isolate that is dead by its own clock, for who has just begun to look; says how many. */
export async function sweepDead(store: Store, nowMs: number): Promise<number> {
  const dead = (await listIsolates(store)).filter((isolate) => isDead(store, isolate, nowMs));
  for (const { id } of dead) await sweepIsolate(store, id);
  return dead.length;
}

/** Two signs of life of an isolate without calls, and half a one. */
const silentAfterMs = 25_000;

/** Since when each isolate has given no new sign of life, by the clock of who looks: others' clocks may be wrong. */
export class SignsOfLife {
  #seen = new Map<string, { readonly beat: string; readonly sinceMs: number }>();

  /** The isolates that were silent for too long, at a time that only has to grow steadily. */
  silent(isolates: readonly BeatenIsolate[], elapsedMs: number): string[] {
    this.#seen = new Map(isolates.map(({ id, beat }) => {
      const seen = this.#seen.get(id);
      return [id, seen?.beat === beat ? seen : { beat, sinceMs: elapsedMs }];
    }));
    return [...this.#seen].filter(([, { sinceMs }]) => elapsedMs - sinceMs > silentAfterMs)
      .map(([id]) => id);
  }
}

/** Sweeps every isolate that others have not heard of for a while. */
export async function sweepSilent(
  store: Store,
  signs: SignsOfLife,
  elapsedMs: number,
): Promise<void> {
  for (const id of signs.silent(await listBeats(store), elapsedMs)) await sweepIsolate(store, id);
}

/**
 * Settles what a dead isolate held: its calls in flight as interrupted, at what is known of them;
 * then its leases go back and its record away. Sweeping twice, or by two at once, does it once.
 * Calls of `alive` go on under another record, and are settled by that.
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

/** On a store of one process, whoever belongs to another start of it is dead. */
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
