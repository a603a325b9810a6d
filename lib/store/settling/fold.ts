import { StoreError } from "../kv/error.ts";
import { keys } from "../keys.ts";
import { stepStartMs } from "../log/log_time.ts";
import { addPage, type LogPage, newPageId, pageOf, rowsOfPage } from "../log/log_page.ts";
import { type PackedRow, packRows, unpackRows } from "../log/request_log_pack.ts";
import { addSum, callSumsOf, type HourSums, mergeSums, mutationsOf } from "../usage/rollup_sums.ts";
import {
  addWaitingCalls,
  addWaitingSubjects,
  unpackWaiting,
  waitingBytes,
} from "../usage/rollup_waiting.ts";
import type { Store } from "../kv/store.ts";

/** What is folded. */
export interface FoldOptions {
  /** Whose rows; those of all where it is absent. */
  readonly isolateId?: string;
  /** Also adds to the rollups what the rows add up to. It may wait for more rows, which add to the same sums. */
  readonly rollups?: boolean;
}

/** A commit stops taking more once it is this big: the commits that callers wait for share the store with it. */
const mutationsEnough = 200;
const sumMutationsEnough = 400;
const bytesEnough = 180 * 1024;
const valuesMax = 128;
/** How many values are read at once: many of them are small. */
const batchSize = 16;
/** Others who fold the same rows make progress whenever they win a turn. */
const lostTurnsMax = 1_000;
const markLifetimeMs = 86_400_000;

/**
 * Moves rows from where their settlement left them into pages of the log with their indexes, and
 * what they add up to into the rollups: each row exactly once, whoever else folds at the same time
 * and wherever one of them dies. What waited when it began is folded when it ends. Those who ask
 * for everybody's at once share one folding: many would take each other's turns. Returns how many
 * rows it moved.
 */
export function foldRows(store: Store, options: FoldOptions = {}): Promise<number> {
  if (options.isolateId !== undefined) return foldNow(store, options);
  const { whole, rows } = store.folds;
  return (options.rollups === false ? rows : whole).ask(() => foldNow(store, options));
}

async function foldNow(
  store: Store,
  { isolateId, rollups = true }: FoldOptions,
): Promise<number> {
  let folded = 0;
  for (const id of isolateId === undefined ? await isolatesOf(store, "rows") : [isolateId]) {
    folded += await untilNothingWaits(() => foldSomeRows(store, id));
  }
  if (!rollups) return folded;
  for (const id of isolateId === undefined ? await isolatesOf(store, "sums") : [isolateId]) {
    await untilNothingWaits(() => foldSomeSums(store, id));
  }
  return folded;
}

/** What one commit did; undefined where another took the turn. */
interface Turn {
  readonly moved: number;
  /** Whether what waited before is still not all folded. */
  readonly more: boolean;
}

async function untilNothingWaits(fold: () => Promise<Turn | undefined>): Promise<number> {
  let moved = 0;
  for (let lost = 0; lost < lostTurnsMax;) {
    const turn = await fold();
    moved += turn?.moved ?? 0;
    if (turn?.more === false) return moved;
    lost = turn ? 0 : lost + 1;
  }
  throw new StoreError("conflict", "Cannot fold the log: others keep folding it, try again");
}

async function foldSomeRows(store: Store, isolateId: string): Promise<Turn | undefined> {
  const mark = await store.kv.get(keys.foldMark(isolateId));
  const { entries, more } = await someRows(store, isolateId);
  const [first] = entries;
  if (!first) return { moved: 0, more: false };
  const waiting = entries.map((entry) => ({
    entry,
    rows: unpackRows(entry.value), // addWaitingRows wrote it
  }));
  const rows = waiting.flatMap(({ rows }) => rows);
  const pages = somePages(rows);
  const taken = pages.reduce((sum, page) => sum + page.rows.length, 0);
  const operation = takeTurn(store, mark, first);
  for (const page of pages) addPage(operation, page, store.logRetentionMs);
  addWaitingCalls(operation, isolateId, callSumsOf(rows.slice(0, taken).map(({ row }) => row)));
  takeAway(operation, waiting, taken);
  if (!(await operation.commit()).ok) return undefined;
  return { moved: taken, more: more || taken < rows.length };
}

async function foldSomeSums(store: Store, isolateId: string): Promise<Turn | undefined> {
  const mark = await store.kv.get(keys.foldMark(isolateId));
  const { entries, sums, more } = await someSums(store, isolateId);
  const [first] = entries;
  if (!first) return { moved: 0, more: false };
  const merged = [...sums.values()];
  const operation = takeTurn(store, mark, first);
  let mutations = 0;
  let taken = 0;
  for (; taken < merged.length && mutations < sumMutationsEnough; taken++) {
    addSum(operation, merged[taken]);
    mutations += mutationsOf(merged[taken]);
  }
  for (const { key } of entries) operation.delete(key);
  addWaitingSubjects(operation, isolateId, merged.slice(taken));
  if (!(await operation.commit()).ok) return undefined;
  store.knownSubjects.noteAdded(merged.map(({ subject }) => subject));
  store.pastSteps.noteAdded(merged.map(({ hour }) => stepStartMs(hour, "hour")));
  return { moved: taken, more: more || taken < merged.length };
}

interface Waiting {
  readonly entries: readonly Deno.KvEntry<Uint8Array>[];
  readonly more: boolean;
}

/** The first rows that wait, as many as one commit may carry. */
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

/** What waits for the rollups, merged: what is not added at once must fit into the commit again. */
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
 * A commit that succeeds only where nobody folded anything of this isolate since the mark was read.
 * The mark is forgotten after a day; whoever slept so long is told by the first value, which is gone.
 */
function takeTurn(
  store: Store,
  mark: Deno.KvEntryMaybe<unknown>,
  first: Deno.KvEntry<unknown>,
): Deno.AtomicOperation {
  return store.kv.atomic().check(mark, first)
    .set(mark.key, true, { expireIn: markLifetimeMs });
}

/** Pages of the first rows, as many as one commit may carry. */
function somePages(rows: readonly PackedRow[]): LogPage[] {
  const pages: LogPage[] = [];
  let mutations = 0;
  for (let at = 0; at < rows.length && mutations < mutationsEnough;) {
    const left = rows.slice(at);
    const page = pageOf(newPageId(), left.slice(0, rowsOfPage(left)));
    pages.push(page);
    at += page.rows.length;
    mutations += 1 + page.index.length;
  }
  return pages;
}

interface WaitingValue {
  readonly entry: Deno.KvEntry<unknown>;
  readonly rows: readonly PackedRow[];
}

/** Removes the first rows from where they waited. */
function takeAway(
  operation: Deno.AtomicOperation,
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

/** The rest of a value, under keys of its own: what an earlier release wrote may take more room now. */
function putBack(
  operation: Deno.AtomicOperation,
  key: Deno.KvKey,
  rows: readonly PackedRow[],
): void {
  const [, isolateId, sequence] = key.map(String);
  for (const [part, value] of packRows(rows.map(({ line }) => line)).entries()) {
    operation.set(keys.waitingRows(isolateId, `${sequence}~${part}`), value);
  }
}

const waitingPrefixes = {
  rows: keys.allWaitingRows,
  sums: keys.allWaitingSums,
} as const satisfies Record<string, Deno.KvKey>;

/** Whose rows or sums wait, found without reading them all. */
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
