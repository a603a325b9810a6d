import { keys } from "../keys.ts";
import { readInBatches } from "../kv/engine.ts";
import type { Store } from "../kv/store.ts";
import { allRowsLabel } from "../log/log_label.ts";
import { addPage, indexOfStored, pagesOf } from "../log/log_page.ts";
import { dayOfHour, idTimeMs, stepMs, stepOf } from "../log/log_time.ts";
import { unpackRows } from "../log/request_log_pack.ts";
import type { ArchiveLease } from "./archive_records.ts";

/** Bounds one commit, which shares the store with commits that callers wait for. */
const mutationsEnough = 250;
const bytesEnough = 180 * 1024;
const pagesReadAtOnce = 20;

/** The first UTC day of a period with rows in the log; undefined if there are none. */
export async function firstLoggedDay(
  store: Store,
  period: { readonly fromMs: number; readonly toMs: number },
): Promise<string | undefined> {
  for await (const { key } of store.kv.list(minutesIn(period), { limit: 1 })) {
    return dayOfHour(String(key.at(-2)));
  }
}

/**
 * Removes the rows with these ids, the newest and the oldest of which are given, from pages and
 * indexes. Other rows of their pages move to new pages in the same commit. Removing rows again
 * does nothing.
 */
export async function removeRows(
  store: Store,
  lease: ArchiveLease,
  { ids, newestId, oldestId }: {
    readonly ids: ReadonlySet<string>;
    readonly newestId: string;
    readonly oldestId: string;
  },
): Promise<void> {
  const period = { fromMs: idTimeMs(oldestId), toMs: idTimeMs(newestId) + 1 };
  const changes: PageChange[] = [];
  for await (const page of storedPages(store, await pageIdsIn(store, period))) {
    const change = changeOf(page, ids);
    if (change) changes.push(change);
    if (change && isEnough(changes)) await commit(store, lease, changes.splice(0));
  }
  if (changes.length > 0) await commit(store, lease, changes);
}

interface StoredPage {
  readonly id: string;
  readonly value: Uint8Array;
}

/** The removal of a page, whose other rows need new pages. */
interface PageChange {
  readonly removed: readonly Deno.KvKey[];
  readonly kept: ReturnType<typeof unpackRows>;
}

function changeOf({ id, value }: StoredPage, ids: ReadonlySet<string>): PageChange | undefined {
  const rows = unpackRows(value);
  const kept = rows.filter(({ row }) => !ids.has(row.id));
  if (kept.length === rows.length) return undefined;
  const entries = indexOfStored(id, value).map(({ key }) => key);
  return { removed: [keys.logPage(id), ...entries], kept };
}

/** Kept rows count double: they may need as many entries again. */
function isEnough(changes: readonly PageChange[]): boolean {
  let [mutations, bytes] = [0, 0];
  for (const { removed, kept } of changes) {
    mutations += removed.length * (kept.length > 0 ? 2 : 1);
    for (const { bytes: own, shared } of kept) bytes += own + shared.bytes;
  }
  return mutations >= mutationsEnough || bytes >= bytesEnough;
}

async function commit(
  store: Store,
  lease: ArchiveLease,
  changes: readonly PageChange[],
): Promise<void> {
  await lease.commit((operation) => {
    if (changes.some(({ kept }) => kept.length > 0)) operation.set(keys.logMoved, true);
    for (const { removed, kept } of changes) {
      for (const key of removed) operation.delete(key);
      for (const page of pagesOf(kept)) addPage(operation, page, store.logRetentionMs);
    }
  });
}

/** Collects the ids before any page changes. A page may have rows of several minutes. */
async function pageIdsIn(
  store: Store,
  period: { readonly fromMs: number; readonly toMs: number },
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { key } of store.kv.list(minutesIn(period), { batchSize: 500 })) {
    ids.add(String(key.at(-1)));
  }
  return ids;
}

async function* storedPages(store: Store, ids: ReadonlySet<string>): AsyncGenerator<StoredPage> {
  const all = [...ids];
  for (let start = 0; start < all.length; start += pagesReadAtOnce) {
    const some = all.slice(start, start + pagesReadAtOnce);
    const entries = await readInBatches(store.kv, some.map((id) => keys.logPage(id)));
    for (const [at, { value }] of entries.entries()) {
      if (value !== null) yield { id: some[at], value: value as Uint8Array }; // addPage wrote it
    }
  }
}

/** The index entries of all rows that began in the minutes of a period. */
function minutesIn({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const { dimension, value } = allRowsLabel;
  return {
    start: keys.logIndexFrom(dimension, value, stepOf(fromMs, "minute")),
    end: keys.logIndexFrom(dimension, value, stepOf(toMs - 1 + stepMs.minute, "minute")),
  };
}
