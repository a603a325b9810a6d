import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";
import { type PackedRow, packFitting, runsOfValues, unpackRows } from "../log/request_log_pack.ts";
import type { RequestLogRow } from "../log/request_log_row.ts";

const decoder = new TextDecoder();

/**
 * The location of waiting rows: their isolate, and a fixed-width text that grows with each of its
 * commits.
 */
interface WaitingPlace {
  readonly isolateId: string;
  readonly sequence: string;
}

/** A value of rows that wait for compaction. */
interface WaitingRows extends WaitingPlace {
  readonly entry: Deno.KvEntry<unknown>;
  readonly rows: readonly RequestLogRow[];
}

/** The rows of one value that waits for compaction. */
interface WaitingValue {
  readonly key: Deno.KvKey;
  readonly rows: readonly PackedRow[];
}

/**
 * Adds the rows of settled calls to the commit that settles them, in one value or a few, which it
 * returns. `runsOfRows` says how many rows one commit takes.
 */
export function addWaitingRows(
  operation: AtomicOperation,
  { isolateId, sequence }: WaitingPlace,
  rows: readonly PackedRow[],
): WaitingValue[] {
  return runsOfValues(rows).map((rows, part) => {
    const key = keys.waitingRows(isolateId, part === 0 ? sequence : `${sequence}.${part}`);
    operation.set(key, packFitting(rows));
    return { key, rows };
  });
}

/** Returns the row of a call if it still waits for compaction. */
export async function findWaiting(store: Store, id: string): Promise<RequestLogRow | undefined> {
  const needle = JSON.stringify(id);
  for await (const { value } of store.kv.list<Uint8Array>({ prefix: keys.allWaitingRows })) {
    if (!decoder.decode(value).includes(needle)) continue; // most values need no parsing
    const found = unpackRows(value).find(({ row }) => row.id === id);
    if (found) return found.row;
  }
}

/** Lists the rows that wait for compaction, of one isolate or of all, in the order of their writing. */
export async function* listWaiting(
  store: Store,
  isolateId?: string,
): AsyncGenerator<WaitingRows> {
  const prefix = isolateId === undefined
    ? keys.allWaitingRows
    : keys.waitingRowsOfIsolate(isolateId);
  for await (const entry of store.kv.list({ prefix }, { batchSize: 50 })) {
    const [, owner, sequence] = entry.key;
    yield {
      isolateId: String(owner),
      sequence: String(sequence),
      entry,
      rows: unpackRows(entry.value as Uint8Array).map(({ row }) => row), // addWaitingRows wrote it
    };
  }
}
