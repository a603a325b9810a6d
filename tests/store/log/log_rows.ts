import { keys } from "../../../lib/store/keys.ts";
import { stepOf } from "../../../lib/store/log/log_time.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { packRow, unpackRows } from "../../../lib/store/log/request_log_pack.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { addWaitingRows } from "../../../lib/store/settling/mod.ts";
import {
  addCountsOfRow,
  addIncrements,
  addTimesOfRow,
  type Sums,
  sumsOfEntry,
} from "../../../lib/store/usage/rollup_counts.ts";
import {
  countedOf,
  hasTimes,
  isOfSession,
  rollupDimensions,
  type RollupStep,
  sessionSubject,
  subjectsOf,
} from "../../../lib/store/usage/rollup_subject.ts";

let sequence = 0;

/** Leaves rows waiting as settlements do, so many in each commit, or out of turn where an order is given. */
export async function leaveRows(
  store: Store,
  rows: readonly RequestLogRow[],
  { isolateId = "isolate", perCommit = 100, order = "" } = {},
): Promise<void> {
  for (let start = 0; start < rows.length; start += perCommit) {
    const operation = store.kv.atomic();
    const place = { isolateId, sequence: order + String(sequence++).padStart(12, "0") };
    addWaitingRows(operation, place, rows.slice(start, start + perCommit).map(packRow));
    if (!(await operation.commit()).ok) throw new Error("rows were not written");
  }
}

/** Every row of every page, however often it is there, in the order of ids. */
export async function pagedRows(store: Store): Promise<RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  for await (const { value } of store.kv.list<Uint8Array>({ prefix: keys.logPages })) {
    rows.push(...unpackRows(value).map(({ row }) => row));
  }
  return rows.sort((a, b) => a.id < b.id ? -1 : 1);
}

/** Counts the keys with a prefix. */
export async function countKeys(store: Store, prefix: Deno.KvKey): Promise<number> {
  let count = 0;
  for await (const _ of store.kv.list({ prefix })) count++;
  return count;
}

/** Every sum of the rollups, one a line, in order. */
export async function storedSums(store: Store, step: RollupStep): Promise<string[]> {
  const sums: Sums = new Map();
  for (const dimension of rollupDimensions) {
    for (const prefix of [keys.rollup(step, dimension), keys.rollupTimes(step, dimension)]) {
      for await (const entry of store.kv.list({ prefix })) {
        const named = (name: string) => [...entry.key.slice(1, -1), name].join("|");
        addIncrements(sums, sumsOfEntry(entry).map(([name, amount]) => [named(name), amount]));
      }
    }
  }
  return linesOf(sums);
}

/** The expected rollups of these rows, added up row by row. */
export function expectedSums(rows: readonly RequestLogRow[], step: RollupStep): string[] {
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    const session = sessionSubject(row);
    const found = [...subjectsOf(countedOf(row)), ...(session ? [session] : [])];
    for (const { dimension, scope, value } of found) {
      if (step === "day" && isOfSession({ dimension })) continue;
      const added: Sums = new Map();
      addCountsOfRow(added, row);
      if (hasTimes({ dimension }) && !isOfSession({ dimension })) addTimesOfRow(added, row);
      for (const [name, amount] of added) {
        const key = [dimension, scope, value, stepOf(row.atMs, step), name].join("|");
        sums.set(key, (sums.get(key) ?? 0n) + amount);
      }
    }
  }
  return linesOf(sums);
}

function linesOf(sums: ReadonlyMap<string, bigint>): string[] {
  return [...sums].map(([key, sum]) => `${key} = ${sum}`).sort();
}
