import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { lineBytes } from "../log/log_lines.ts";
import { packRow } from "../log/request_log_pack.ts";
import type { RequestLogRow } from "../log/request_log_row.ts";
import { fitRow } from "../log/request_log_size.ts";

/** One running isolate that holds leases or calls in flight. */
export interface Isolate {
  readonly id: string;
  /** The start of the process that it belongs to. */
  readonly runId: string;
  readonly heartbeatAtMs: number;
}

/**
 * An isolate's own record as last written. A commit that checks it fails once the isolate was
 * swept.
 */
export interface IsolateEntry {
  readonly id: string;
  readonly versionstamp: string;
}

/** A call in flight at the last heartbeat, with the row to log if the isolate dies. */
export interface InFlight {
  readonly row: RequestLogRow;
  /** The allowances that the row's cost is charged to. */
  readonly moneyIds: readonly string[];
}

const bytesPerChunkMax = 48 * 1024;
/** Fits in the 800 KiB of a commit. */
const chunksPerCommitMax = 12;
const chunkDigits = 6;

/** Checks that the isolate was not swept. */
export function isolateCheck({ id, versionstamp }: IsolateEntry): Deno.AtomicCheck {
  return { key: keys.isolate(id), versionstamp };
}

/** Registers an isolate, with its first heartbeat. */
export async function registerIsolate(store: Store, isolate: Isolate): Promise<IsolateEntry> {
  const result = await store.kv.set(keys.isolate(isolate.id), { ...isolate });
  return { id: isolate.id, versionstamp: result.versionstamp };
}

/**
 * Writes a heartbeat with the calls in flight, in as many commits as needed. A process that dies in
 * between leaves parts of the last and of this heartbeat. Returns undefined if the isolate was
 * swept.
 */
export async function storeHeartbeat(
  store: Store,
  entry: IsolateEntry,
  { isolate, flights, chunks }: {
    readonly isolate: Isolate;
    readonly flights: readonly InFlight[];
    /** The chunks of the last heartbeat. */
    readonly chunks: readonly string[];
  },
): Promise<{ readonly entry: IsolateEntry; readonly chunks: readonly string[] } | undefined> {
  const named = namedChunks(flights, chunks);
  const operationFor = (part: readonly NamedChunk[]) => {
    const operation = store.kv.atomic().check(isolateCheck(entry));
    for (const { name, calls } of part) operation.set(keys.inFlight(isolate.id, name), calls);
    return operation;
  };
  let at = 0;
  for (; named.length - at > chunksPerCommitMax; at += chunksPerCommitMax) {
    const { ok } = await operationFor(named.slice(at, at + chunksPerCommitMax)).commit();
    if (!ok) return undefined;
  }
  const last = operationFor(named.slice(at)).set(keys.isolate(isolate.id), { ...isolate });
  for (const name of chunks) last.delete(keys.inFlight(isolate.id, name));
  const result = await last.commit();
  if (!result.ok) return undefined;
  return {
    entry: { id: entry.id, versionstamp: result.versionstamp },
    chunks: named.map(({ name }) => name),
  };
}

interface NamedChunk {
  readonly name: string;
  readonly calls: readonly InFlight[];
}

/** Gives the chunks new names, because the previous ones stay until all of these are written. */
function namedChunks(flights: readonly InFlight[], last: readonly string[]): NamedChunk[] {
  const turn = last[0]?.startsWith("a") ? "b" : "a";
  return chunksOf(flights).map((calls, at) => ({
    name: turn + String(at).padStart(chunkDigits, "0"),
    calls,
  }));
}

/** Deletes the isolate's record, so that its pending commits fail. */
export async function removeIsolate(store: Store, id: string): Promise<void> {
  await store.kv.delete(keys.isolate(id));
}

/** Lists all registered isolates, including dead ones. */
export async function listIsolates(store: Store): Promise<Isolate[]> {
  return (await isolateEntries(store)).map(({ value }) => value);
}

/** An isolate with the version of its last heartbeat, which changes as long as it lives. */
export interface BeatenIsolate {
  readonly id: string;
  readonly beat: string;
}

/** Lists all isolates, each with the version of its last heartbeat. */
export async function listBeats(store: Store): Promise<BeatenIsolate[]> {
  const entries = await isolateEntries(store);
  return entries.map(({ value: { id }, versionstamp: beat }) => ({ id, beat }));
}

function isolateEntries(store: Store): Promise<Deno.KvEntry<Isolate>[]> {
  return Array.fromAsync(store.kv.list<Isolate>({ prefix: keys.isolates })); // only this file writes there
}

/** Marks an isolate as dead, so that its own commits fail from now on. */
export async function markSwept(store: Store, id: string): Promise<void> {
  const swept: Isolate = { id, runId: "swept", heartbeatAtMs: 0 };
  await store.kv.set(keys.isolate(id), swept);
}

/** Some of an isolate's calls in flight, with the entry to check. */
export interface InFlightChunk {
  readonly flights: readonly InFlight[];
  readonly entry: Deno.KvEntryMaybe<unknown>;
}

/** Returns the calls in flight of an isolate's last heartbeat. */
export async function listInFlight(store: Store, isolateId: string): Promise<InFlightChunk[]> {
  const chunks: InFlightChunk[] = [];
  for await (const entry of store.kv.list({ prefix: keys.inFlightOfIsolate(isolateId) })) {
    chunks.push({ flights: entry.value as readonly InFlight[], entry }); // only beat writes it
  }
  return chunks;
}

/** Splits calls into values, with as many in each as fit. */
function chunksOf(flights: readonly InFlight[]): InFlight[][] {
  const chunks: InFlight[][] = [];
  let bytes = Infinity;
  for (const { flight, size } of flights.map(fittedFlight)) {
    if (bytes + size > bytesPerChunkMax) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(flight);
    bytes += size;
  }
  return chunks;
}

/** Cuts a call's row to the size of one value. */
function fittedFlight(flight: InFlight): { readonly flight: InFlight; readonly size: number } {
  const fitted = { ...flight, row: fitRow(flight.row) };
  const size = flightBytesMax(fitted);
  if (size <= bytesPerChunkMax) return { flight: fitted, size };
  const smaller = { ...flight, row: packRow(flight.row).row };
  return { flight: smaller, size: flightBytesMax(smaller) };
}

/** The names and numbers of a cost line, and of the members that `flightBytesMax` leaves out. */
const [costLineBytes, otherBytes] = [160, 512];

/** An upper bound of the encoded bytes, several times as cheap as to encode: there may be thousands. */
function flightBytesMax({ row, moneyIds }: InFlight): number {
  const { costNanoUsd: _, upstreamCost: __, costLines = [], ...others } = row;
  const texts = costLines.map(({ bucket, tier, part }) => [bucket, tier, part]);
  const bytes = lineBytes(JSON.stringify([others, moneyIds, texts]));
  return bytes + costLineBytes * costLines.length + otherBytes;
}
