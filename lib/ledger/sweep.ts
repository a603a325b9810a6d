import {
  foldRows,
  getRequestLog,
  type InFlightChunk,
  type Isolate,
  listInFlight,
  listIsolates,
  listLeases,
  markSwept,
  releaseLease,
  removeIsolate,
  settleInFlight,
  type Store,
} from "../store/mod.ts";

/** An isolate is taken for dead when its last sign of life is older. */
export const deadAfterMs = 30_000;

/** Sweeps every isolate that is dead, and says how many. */
export async function sweepDead(store: Store, nowMs: number): Promise<number> {
  const dead = (await listIsolates(store)).filter((isolate) => isDead(store, isolate, nowMs));
  for (const { id } of dead) await sweepIsolate(store, id);
  return dead.length;
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
  await foldRows(store, { isolateId });
  for (let chunks = await listInFlight(store, isolateId); chunks.length > 0;) {
    for (const chunk of chunks) await settleLast(store, isolateId, { chunk, alive });
    chunks = await listInFlight(store, isolateId);
  }
  for (let leases = await listLeases(store, isolateId); leases.length > 0;) {
    for (const lease of leases) await releaseLease(store, isolateId, lease);
    leases = await listLeases(store, isolateId);
  }
  await foldRows(store, { isolateId });
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
  const day = new Date(row?.atMs ?? 0).toISOString().slice(0, 10);
  await settleInFlight(store, { chunk, isolateId, known, day });
}
