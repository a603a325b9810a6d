import { BoundedMap } from "../../bounded_map.ts";
import { keys } from "../keys.ts";
import { readInBatches } from "../kv/engine.ts";
import type { Store } from "../kv/store.ts";
import { type IndexEntry, indexOfStored, listPages } from "./log_page.ts";
import { stepOf } from "./log_time.ts";

const batchSize = 500;
const pagesCachedMax = 64;

/**
 * Compares each page of the log with its index entries, and each entry with its page, from a time
 * on.
 */
export async function* verifyIndexes(store: Store, fromMs: number): AsyncGenerator<string> {
  const fromMinute = stepOf(fromMs, "minute");
  let expected = 0;
  for await (const { key, value } of listPages(store)) {
    const entries = entriesOf(String(key.at(-1)), value, fromMinute);
    expected += entries.length;
    yield* wrongEntries(store, entries);
  }
  if (await countEntries(store, fromMinute) === expected) return;
  yield* strayEntries(store, fromMinute);
}

async function* wrongEntries(
  store: Store,
  entries: readonly IndexEntry[],
): AsyncGenerator<string> {
  const stored = await readInBatches(store.kv, entries.map(({ key }) => key));
  for (const [at, { key, value }] of entries.entries()) {
    const found = stored[at].value;
    if (found === null) yield `${nameOf(key)}: the page has such rows, the index has no entry`;
    else if (!isSame(found as Uint8Array, value)) { // only addPage writes there
      yield `${nameOf(key)}: the index names other rows than the page has`;
    }
  }
}

/** Yields entries that belong to no page. Runs only if there are more entries than expected. */
async function* strayEntries(store: Store, fromMinute: string): AsyncGenerator<string> {
  const pages = new BoundedMap<string, ReadonlySet<string>>(pagesCachedMax);
  for await (const key of indexKeys(store, fromMinute)) {
    const pageId = String(key.at(-1));
    const known = pages.get(pageId) ?? await namesOf(store, pageId, fromMinute);
    pages.set(pageId, known);
    if (!known.has(nameOf(key))) {
      yield `${nameOf(key)}: the index has an entry, the page no such rows`;
    }
  }
}

async function namesOf(
  store: Store,
  pageId: string,
  fromMinute: string,
): Promise<ReadonlySet<string>> {
  const { value } = await store.kv.get<Uint8Array>(keys.logPage(pageId));
  if (value === null) return new Set();
  return new Set(entriesOf(pageId, value, fromMinute).map(({ key }) => nameOf(key)));
}

async function countEntries(store: Store, fromMinute: string): Promise<number> {
  let count = 0;
  for await (const _ of indexKeys(store, fromMinute)) count++;
  return count;
}

async function* indexKeys(store: Store, fromMinute: string): AsyncGenerator<Deno.KvKey> {
  for await (const { key } of store.kv.list({ prefix: keys.logIndexes }, { batchSize })) {
    if (minuteOf(key) >= fromMinute) yield key;
  }
}

function entriesOf(pageId: string, page: Uint8Array, fromMinute: string): IndexEntry[] {
  return indexOfStored(pageId, page).filter(({ key }) => minuteOf(key) >= fromMinute);
}

function minuteOf(key: Deno.KvKey): string {
  return String(key.at(-2));
}

function nameOf(key: Deno.KvKey): string {
  const [, dimension, value, minute, pageId] = key.map(String);
  return `log by ${dimension} ${JSON.stringify(value)} in ${minute}, page ${pageId}`;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
