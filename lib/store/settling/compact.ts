import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";
import { addPage, type LogPage, pagesOf } from "../log/log_page.ts";
import { stepStartMs } from "../log/log_time.ts";
import { type PackedRow, packRows, unpackRows } from "../log/request_log_pack.ts";
import {
  addToRollups,
  callSumsOf,
  type HourSums,
  mergeSums,
  rowsWithRoom,
  sessionSumsOf,
  valuesPerSum,
} from "../usage/rollup_sums.ts";
import {
  addWaitingCalls,
  addWaitingSubjects,
  unpackWaiting,
  waitingBytes,
} from "../usage/rollup_waiting.ts";

/** Selects the rows to compact. */
interface CompactOptions {
  /** The isolate whose rows are compacted; all isolates by default. */
  readonly isolateId?: string;
  /** Also adds the rows' sums to the rollups (the default). They may wait for more rows of the same subjects. */
  readonly rollups?: boolean;
}

/** Bounds one commit, which shares the store with commits that callers wait for. */
const mutationsEnough = 200;
const sumsAtOnceMax = 400 / valuesPerSum;
const bytesEnough = 180 * 1024;
const valuesMax = 128;
/** Read in batches, since many values are small. */
const batchSize = 16;
/** Give up after this many lost races; each lost race means that another isolate made progress. */
const lostTurnsMax = 1_000;
const markLifetimeMs = 86_400_000;

/**
 * Moves settled rows into the pages and indexes of the log, and their sums into the rollups. Each
 * row moves exactly once, even if several isolates compact at the same time or die in between. All
 * rows that wait at the start are moved at the end. Concurrent calls for all isolates share one
 * compaction, because they would only lose races against each other. Returns the number of rows moved.
 */
export function compactRows(store: Store, options: CompactOptions = {}): Promise<number> {
  if (options.isolateId !== undefined) return compactNow(store, options);
  const { whole, rows } = store.compactions;
  return (options.rollups === false ? rows : whole).ask(() => compactNow(store, options));
}

async function compactNow(
  store: Store,
  { isolateId, rollups = true }: CompactOptions,
): Promise<number> {
  let compacted = 0;
  for (const id of isolateId === undefined ? await isolatesOf(store, "rows") : [isolateId]) {
    compacted += await untilNothingWaits(() => compactSomeRows(store, id));
  }
  if (!rollups) return compacted;
  for (const id of isolateId === undefined ? await isolatesOf(store, "sums") : [isolateId]) {
    await untilNothingWaits(() => compactSomeSums(store, id));
  }
  return compacted;
}

/** The result of one commit; undefined if another isolate won the race. */
interface Turn {
  readonly moved: number;
  /** True if more values wait. */
  readonly more: boolean;
}

async function untilNothingWaits(compact: () => Promise<Turn | undefined>): Promise<number> {
  let moved = 0;
  for (let lost = 0; lost < lostTurnsMax;) {
    const turn = await compact();
    moved += turn?.moved ?? 0;
    if (turn?.more === false) return moved;
    lost = turn ? 0 : lost + 1;
  }
  throw new StoreError(
    "conflict",
    "Cannot compact the log: other isolates keep changing it. Try again",
  );
}

async function compactSomeRows(store: Store, isolateId: string): Promise<Turn | undefined> {
  const mark = await store.kv.get(keys.compactionMark(isolateId));
  const { entries, more } = await someRows(store, isolateId);
  const [first] = entries;
  if (!first) return { moved: 0, more: false };
  const waiting = entries.map((entry) => ({
    entry,
    rows: store.recentRows.take(entry) ?? unpackRows(entry.value), // addWaitingRows wrote it
  }));
  const rows = waiting.flatMap(({ rows }) => rows);
  const pages = somePages(rows.slice(0, rowsWithRoom(rows.map(({ row }) => row))));
  const taken = pages.reduce((sum, page) => sum + page.rows.length, 0);
  const operation = takeTurn(store, mark, first);
  for (const page of pages) addPage(operation, page, store.logRetentionMs);
  const moved = rows.slice(0, taken).map(({ row }) => row);
  addWaitingCalls(operation, isolateId, callSumsOf(moved));
  addWaitingSubjects(operation, isolateId, sessionSumsOf(moved));
  takeAway(operation, waiting, taken);
  if (!(await operation.commit()).ok) return undefined;
  return { moved: taken, more: more || taken < rows.length };
}

/**
 * Adds waiting sums to the rollups. One compactor at a time of all isolates succeeds, because all of
 * them replace the rollups of everything together.
 */
async function compactSomeSums(store: Store, isolateId: string): Promise<Turn | undefined> {
  const turn = await store.kv.get(keys.rollupTurn); // before the rollups are read
  const { entries, sums, more } = await someSums(store, isolateId);
  const [first] = entries;
  if (!first) return { moved: 0, more: false };
  const merged = [...sums.values()];
  const taken = merged.slice(0, sumsAtOnceMax);
  const operation = store.kv.atomic().check(turn, first).set(turn.key, true);
  await addToRollups(store, operation, taken);
  for (const { key } of entries) operation.delete(key);
  addWaitingSubjects(operation, isolateId, merged.slice(taken.length));
  if (!(await operation.commit()).ok) return undefined;
  store.subjectCache.noteAdded(taken.map(({ subject }) => subject));
  store.rollupCache.noteAdded(taken.map(({ hour }) => stepStartMs(hour, "hour")));
  return { moved: taken.length, more: more || taken.length < merged.length };
}

interface Waiting {
  readonly entries: readonly Deno.KvEntry<Uint8Array>[];
  readonly more: boolean;
}

/** Reads the first waiting rows, up to the limits of one commit. */
async function someRows(store: Store, isolateId: string): Promise<Waiting> {
  const entries: Deno.KvEntry<Uint8Array>[] = [];
  let bytes = 0;
  const prefix = keys.waitingRowsOfIsolate(isolateId);
  for await (const entry of store.kv.list<Uint8Array>({ prefix }, { batchSize })) {
    if (entries.length === valuesMax || bytes >= bytesEnough) return { entries, more: true };
    entries.push(entry);
    bytes += entry.value.length;
  }
  return { entries, more: false };
}

/** Reads and merges the waiting sums. Bounded in bytes, because the rest is written back in the same commit. */
async function someSums(
  store: Store,
  isolateId: string,
): Promise<Waiting & { readonly sums: HourSums }> {
  const entries: Deno.KvEntry<Uint8Array>[] = [];
  const sums: HourSums = new Map();
  let bytes = 0;
  const prefix = keys.waitingSumsOfIsolate(isolateId);
  for await (const entry of store.kv.list<Uint8Array>({ prefix }, { batchSize })) {
    if (entries.length === valuesMax || bytes >= bytesEnough) {
      return { entries, sums, more: true };
    }
    entries.push(entry);
    const known = sums.size;
    mergeSums(sums, unpackWaiting(entry.value)); // addWaitingCalls and addWaitingSubjects write there
    for (const sum of [...sums.values()].slice(known)) bytes += waitingBytes(sum);
  }
  return { entries, sums, more: false };
}

/**
 * Starts a commit that succeeds only if nobody compacted this isolate's rows since the mark was read.
 * The mark expires after a day; a process that was suspended for longer fails the check of the first
 * value, which is gone by then.
 */
function takeTurn(
  store: Store,
  mark: Deno.KvEntryMaybe<unknown>,
  first: Deno.KvEntry<unknown>,
): AtomicOperation {
  return store.kv.atomic().check(mark, first)
    .set(mark.key, true, { expireIn: markLifetimeMs });
}

/** Packs the first rows into pages, up to the limits of one commit. */
function somePages(rows: readonly PackedRow[]): LogPage[] {
  const mutations = (pages: readonly LogPage[]) =>
    pages.reduce((sum, { index }) => sum + 1 + index.length, 0);
  return pagesOf(rows, (pages) => mutations(pages) >= mutationsEnough);
}

interface WaitingValue {
  readonly entry: Deno.KvEntry<unknown>;
  readonly rows: readonly PackedRow[];
}

/** Deletes the first rows from the waiting values. */
function takeAway(
  operation: AtomicOperation,
  waiting: readonly WaitingValue[],
  taken: number,
): void {
  let left = taken;
  for (const { entry: { key }, rows } of waiting) {
    if (left > 0) operation.delete(key);
    if (left > 0 && left < rows.length) putBack(operation, key, rows.slice(left));
    left = Math.max(left - rows.length, 0);
  }
}

/** Writes the rest of a value under new keys. */
function putBack(
  operation: AtomicOperation,
  key: Deno.KvKey,
  rows: readonly PackedRow[],
): void {
  const [, isolateId, sequence] = key.map(String);
  for (const [part, value] of packRows(rows).entries()) {
    operation.set(keys.waitingRows(isolateId, `${sequence}~${part}`), value);
  }
}

const waitingPrefixes = {
  rows: keys.allWaitingRows,
  sums: keys.allWaitingSums,
} as const satisfies Record<string, Deno.KvKey>;

/** Lists the isolates that have waiting rows or sums, by skipping from one to the next. */
async function isolatesOf(store: Store, what: keyof typeof waitingPrefixes): Promise<string[]> {
  const prefix: Deno.KvKey = waitingPrefixes[what];
  const found: string[] = [];
  for (let start = prefix;;) {
    const id = await firstPart(store, { prefix, ...(found.length > 0 && { start }) });
    if (id === undefined) return found;
    found.push(id);
    start = [...prefix, `${id}\0`]; // behind every key of that isolate
  }
}

async function firstPart(
  store: Store,
  selector: Deno.KvListSelector,
): Promise<string | undefined> {
  for await (const { key } of store.kv.list(selector, { limit: 1 })) return String(key[1]);
}
