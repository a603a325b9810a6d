import type { Store } from "../kv/store.ts";
import { verifyIndexes } from "../log/log_index_verify.ts";
import { logKeptFrom } from "../log/log_retention.ts";
import { idTimeMs, stepMs, stepOf } from "../log/log_time.ts";
import { streamRequestLogs } from "../log/log_stream.ts";
import type { RequestLogRow } from "../log/request_log_row.ts";
import { hoursKeptMs } from "../usage/rollup_prune.ts";
import { callSumsOf, type HourSums, mergeSums, subjectSums } from "../usage/rollup_sums.ts";
import { compareRollups, type ExpectedSums, expectSum } from "../usage/rollup_verify.ts";
import { compactRows } from "./compact.ts";

/** The rows to verify; those of the store by default. */
interface VerifyOptions {
  /** Streams all rows from a time on, newest first. */
  readonly rowsFrom?: (fromMs: number) => AsyncIterable<readonly RequestLogRow[]>;
  /** Days whose rows are not all in that stream: their hours are not compared. */
  readonly unreadDays?: ReadonlySet<string>;
}

/** Maximum number of reported differences. */
const differencesMax = 100;

/**
 * Verifies the log: every index entry against its page and back, every row exactly once, each
 * hourly rollup against its rows as long as the log has them all, and each daily rollup against its
 * hours. Requires a store that no gateway serves, and reads all of it. Returns a sentence for each
 * difference, at most a hundred.
 */
export async function verifyLog(
  store: Store,
  nowMs: number,
  {
    rowsFrom = (fromMs) => streamRequestLogs(store, { fromMs }),
    unreadDays = new Set(),
  }: VerifyOptions = {},
): Promise<string[]> {
  await compactRows(store);
  const differences: string[] = [];
  for await (const difference of differencesOf(store, nowMs, { rowsFrom, unreadDays })) {
    differences.push(difference);
    if (differences.length >= differencesMax) break;
  }
  return differences;
}

async function* differencesOf(
  store: Store,
  nowMs: number,
  { rowsFrom, unreadDays }: Required<VerifyOptions>,
): AsyncGenerator<string> {
  const hoursFromMs = Math.max(nowMs - hoursKeptMs, 0);
  const fromMs = wholeHourAfter(Math.max(await logKeptFrom(store, nowMs), hoursFromMs));
  const expected: ExpectedSums = new Map();
  yield* addUpRows(rowsOutside(rowsFrom(fromMs), unreadDays), expected);
  yield* compareRollups(store, expected, {
    rowsFromMs: fromMs,
    hoursFromMs,
    unreadDays,
  });
  yield* verifyIndexes(store, fromMs);
}

/** Rounds up by an hour more than necessary, because rows expire during the verification. */
function wholeHourAfter(keptFromMs: number): number {
  return keptFromMs === 0 ? 0 : (Math.ceil(keptFromMs / stepMs.hour) + 1) * stepMs.hour;
}

async function* rowsOutside(
  batches: AsyncIterable<readonly RequestLogRow[]>,
  days: ReadonlySet<string>,
): AsyncGenerator<readonly RequestLogRow[]> {
  for await (const rows of batches) {
    yield days.size === 0 ? rows : rows.filter(({ id }) => !days.has(stepOf(idTimeMs(id), "day")));
  }
}

/** Collects the expected rollups. Rows arrive hour by hour, so only one hour is in memory. */
async function* addUpRows(
  batches: AsyncIterable<readonly RequestLogRow[]>,
  expected: ExpectedSums,
): AsyncGenerator<string> {
  let hour: { readonly name: string; readonly sums: HourSums } | undefined;
  const seen = new SameMoment();
  for await (const rows of batches) {
    yield* rows.flatMap((row) => seen.differences(row));
    for (const [name, own] of Map.groupBy(rows, ({ id }) => stepOf(idTimeMs(id), "hour"))) {
      if (hour?.name !== name) {
        for (const sum of hour?.sums.values() ?? []) expectSum(expected, sum);
        hour = { name, sums: new Map() };
      }
      mergeSums(hour.sums, subjectSums(callSumsOf(own)));
    }
  }
  for (const sum of hour?.sums.values() ?? []) expectSum(expected, sum);
}

/** Checks rows in the log's order for duplicates, which are close to each other. */
class SameMoment {
  #atMs = -1;
  readonly #ids = new Set<string>();

  differences({ id, atMs }: RequestLogRow): string[] {
    const differences: string[] = [];
    const idMs = idTimeMs(id);
    if (idMs !== this.#atMs) this.#ids.clear();
    this.#atMs = idMs;
    if (this.#ids.has(id)) differences.push(`row ${id}: it is in the log more than once`);
    this.#ids.add(id);
    if (stepOf(idMs, "hour") === stepOf(atMs, "hour")) return differences;
    return [...differences, `row ${id}: it began at ${timeOf(atMs)}, its id says ${timeOf(idMs)}`];
  }
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
