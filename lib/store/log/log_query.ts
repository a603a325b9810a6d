import { keys } from "../keys.ts";
import { keysReadMax, readInBatches } from "../kv/engine.ts";
import type { Store } from "../kv/store.ts";
import { allRowsLabel, type Label } from "./log_label.ts";
import { stepMs, stepOf, stepStartMs } from "./log_time.ts";
import { decodePositions, type RowLocation } from "./row_positions.ts";

/** A search for rows that have all labels and started within the period. */
interface LogSearch {
  /** None means all rows. */
  readonly labels: readonly Label[];
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
  /** Returns only rows after this one in the log's order. */
  readonly behind?: RowLocation;
  /** Maximum number of locations per minute, newest first. */
  readonly most?: number;
}

/**
 * Locations of the rows of one minute, newest first, and the number of index entries read to find
 * them.
 */
interface FoundMinute {
  readonly locations: readonly RowLocation[];
  readonly entriesRead: number;
  readonly startMs: number;
}

/** Later than the start of any call. */
const endMs = Date.UTC(9_999, 0);
/** Index entries probed per label to find the one with the fewest rows. */
const probedEntries = 16;
const batchSize = 100;
const sortedAtOnce = 1_000;
const entriesComparedAtOnce = 60;
/**
 * Reads another label's index in one piece if it has at most this many entries for each entry to
 * compare.
 */
const entriesReadPerCompared = 4;

/**
 * Walks the index of the rarest label from the newest minute to the oldest, and keeps the rows that
 * all other indexes contain too. Reads no page, because every yielded location matches.
 */
export async function* searchLog(
  store: Store,
  { labels, fromMs = 0, toMs = endMs, behind, most = Infinity }: LogSearch,
): AsyncGenerator<FoundMinute> {
  const period = { fromMs: Math.max(fromMs, 0), toMs: Math.min(toMs, endMs) };
  if (!(period.fromMs < period.toMs)) return;
  const wanted = (location: RowLocation) =>
    location.atMs >= fromMs && location.atMs < toMs &&
    (!behind || newestFirst(behind, location) < 0);
  const [leading, ...others] = await rarestFirst(store, labels, period);
  const minutes = minutesOf(store, leading, period);
  const compared = others.map((label) => ({ label, inOnePiece: true }));
  for await (const some of runsOf(minutes, others.length > 0 ? entriesComparedAtOnce : 1)) {
    const held = await positionsIn(store, some.flat(), compared);
    let at = 0;
    for (const entries of some) {
      const kept = held.slice(at, at += entries.length);
      yield {
        locations: newest(locationsOf(entries, kept), wanted, most),
        entriesRead: entries.length * (1 + others.length),
        startMs: entries[0].minuteMs,
      };
    }
  }
}

type Minute = readonly [IndexEntry, ...IndexEntry[]];

/**
 * Groups minutes until they have enough entries, because one read for a group is faster than one
 * per minute.
 */
async function* runsOf(
  minutes: AsyncIterable<Minute>,
  entriesEnough: number,
): AsyncGenerator<readonly Minute[]> {
  let run: Minute[] = [];
  let entries = 0;
  for await (const minute of minutes) {
    run.push(minute);
    entries += minute.length;
    if (entries < entriesEnough) continue;
    yield run;
    [run, entries] = [[], 0];
  }
  if (run.length > 0) yield run;
}

/** The order of the log; negative if the first is newer. */
function newestFirst(a: RowLocation, b: RowLocation): number {
  if (a.atMs !== b.atMs) return b.atMs - a.atMs;
  if (a.pageId !== b.pageId) return a.pageId < b.pageId ? 1 : -1;
  return b.position - a.position;
}

type Period = Readonly<Record<"fromMs" | "toMs", number>>;

interface IndexEntry {
  readonly minute: string;
  readonly minuteMs: number;
  readonly pageId: string;
  readonly positions: Uint8Array;
}

async function rarestFirst(
  store: Store,
  labels: readonly Label[],
  period: Period,
): Promise<readonly [Label, ...Label[]]> {
  const [first = allRowsLabel, ...rest] = labels;
  if (rest.length === 0) return [first];
  const probes = await Promise.all(labels.map((label) => probe(store, label, period)));
  const [leading, ...others] = probes.sort((a, b) =>
    a.reachedMs - b.reachedMs || a.entries - b.entries
  );
  return [leading.label, ...others.map(({ label }) => label)];
}

interface Probe {
  readonly label: Label;
  /** Start of the oldest probed minute; the minimum if the index has no more entries. */
  readonly reachedMs: number;
  readonly entries: number;
}

async function probe(store: Store, label: Label, period: Period): Promise<Probe> {
  let entries = 0;
  let reachedMs = 0;
  for await (const { minuteMs } of entriesOf(store, label, period, probedEntries)) {
    reachedMs = minuteMs;
    entries++;
  }
  return { label, entries, reachedMs: entries < probedEntries ? -1 : reachedMs };
}

/** Yields a label's index entries by minute, newest first. */
async function* minutesOf(
  store: Store,
  label: Label,
  period: Period,
): AsyncGenerator<Minute> {
  let minute: [IndexEntry, ...IndexEntry[]] | undefined;
  for await (const entry of entriesOf(store, label, period)) {
    if (minute?.[0].minute === entry.minute) minute.push(entry);
    else {
      if (minute) yield minute;
      minute = [entry];
    }
  }
  if (minute) yield minute;
}

async function* entriesOf(
  store: Store,
  { dimension, value }: Label,
  { fromMs, toMs }: Period,
  limit?: number,
): AsyncGenerator<IndexEntry> {
  const selector = {
    start: keys.logIndexFrom(dimension, value, stepOf(fromMs, "minute")),
    end: keys.logIndexFrom(dimension, value, minuteAfter(toMs)),
  };
  const options = { reverse: true, batchSize, ...(limit && { limit }) };
  for await (const { key, value } of store.kv.list<Uint8Array>(selector, options)) {
    const [minute, pageId] = key.slice(-2).map(String);
    yield { minute, minuteMs: stepStartMs(minute, "minute"), pageId, positions: value };
  }
}

/** The first minute that starts at or after `toMs`. */
function minuteAfter(toMs: number): string {
  return stepOf(toMs - 1 + stepMs.minute, "minute");
}

interface Compared {
  readonly label: Label;
  /** True until the index proves to be much denser than the leading one. */
  inOnePiece: boolean;
}

/**
 * For each entry, looks up the same page and minute in the index of each other label. Returns the
 * row positions of each.
 */
async function positionsIn(
  store: Store,
  entries: readonly IndexEntry[],
  others: readonly Compared[],
): Promise<ReadonlySet<number>[][]> {
  const held = await Promise.all(others.map(async (other) => {
    if (!other.inOnePiece || entries.length <= keysReadMax) {
      return await readEach(store, other.label, entries);
    }
    const found = await readPiece(store, other.label, entries);
    other.inOnePiece = found !== undefined;
    return found ?? await readEach(store, other.label, entries);
  }));
  return entries.map((_, at) => held.map((values) => positionsOf(values[at])));
}

/**
 * Reads a label's entries between the oldest and the newest of these at once; undefined if there
 * are too many.
 */
async function readPiece(
  store: Store,
  { dimension, value }: Label,
  entries: readonly IndexEntry[],
): Promise<unknown[] | undefined> {
  const [newest, oldest] = [entries[0], entries[entries.length - 1]];
  const limit = entries.length * entriesReadPerCompared;
  const selector = {
    start: keys.logIndexFrom(dimension, value, oldest.minute),
    end: keys.logIndexFrom(dimension, value, minuteAfter(newest.minuteMs + 1)),
  };
  const found = new Map<string, unknown>();
  for await (const entry of store.kv.list(selector, { limit, batchSize: Math.min(limit, 500) })) {
    found.set(entry.key.slice(-2).join(" "), entry.value);
  }
  if (found.size === limit) return undefined;
  return entries.map(({ minute, pageId }) => found.get(`${minute} ${pageId}`) ?? null);
}

async function readEach(
  store: Store,
  { dimension, value }: Label,
  entries: readonly IndexEntry[],
): Promise<unknown[]> {
  const wanted = entries.map(({ minute, pageId }) =>
    keys.logIndex(dimension, value, minute, pageId)
  );
  return (await readInBatches(store.kv, wanted)).map((entry) => entry.value);
}

function* locationsOf(
  entries: readonly IndexEntry[],
  held: readonly (readonly ReadonlySet<number>[])[],
): Generator<RowLocation> {
  for (const [at, { minuteMs, pageId, positions: bytes }] of entries.entries()) {
    for (const { position, offsetMs } of decodePositions(bytes)) {
      if (held[at].every((positions) => positions.has(position))) {
        yield { atMs: minuteMs + offsetMs, pageId, position };
      }
    }
  }
}

/**
 * Returns the newest locations, in order. Does not sort all of them, because a busy minute has far
 * more than a page shows.
 */
function newest(
  locations: Iterable<RowLocation>,
  wanted: (location: RowLocation) => boolean,
  most: number,
): RowLocation[] {
  let kept: RowLocation[] = [];
  for (const location of locations) {
    if (!wanted(location)) continue;
    kept.push(location);
    if (kept.length > sortedAtOnce && kept.length > 4 * most) {
      kept = kept.sort(newestFirst).slice(0, most);
    }
  }
  return kept.sort(newestFirst).slice(0, most);
}

function positionsOf(value: unknown): ReadonlySet<number> {
  if (value === null) return new Set();
  return new Set(decodePositions(value as Uint8Array).map(({ position }) => position)); // indexOf wrote it
}
