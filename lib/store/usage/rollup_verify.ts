import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { dayOfHour, stepOf } from "../log/log_time.ts";
import { addIncrements, type Sums, sumsOfEntry } from "./rollup_counts.ts";
import { isOfSession, type RollupStep, type RollupSubject } from "./rollup_subject.ts";
import type { HourSum } from "./rollup_sums.ts";

/** The expected sums by subject, as compact text, because there may be many. */
export type ExpectedSums = Map<string, string>;

const kinds = {
  counts: keys.rollup,
  times: keys.rollupTimes,
} as const;
type SumKind = keyof typeof kinds;

/** Expects the rollups of one hour and subject. */
export function expectSum(
  expected: ExpectedSums,
  { subject, hour, counts, times }: HourSum,
): void {
  for (const [kind, sums] of [["counts", counts], ["times", times]] as const) {
    if (sums.size > 0) expected.set(nameOf(kind, subject, hour), textOf(sums));
  }
}

/** The comparable periods. */
interface Comparable {
  /** The first row, for hours. */
  readonly rowsFromMs: number;
  /** The first hour, for days. */
  readonly hoursFromMs: number;
  /** Days whose hours have no expected sums. */
  readonly unreadDays: ReadonlySet<string>;
}

/** Compares hours with the expected sums, and days with the sums of their hours. */
export async function* compareRollups(
  store: Store,
  expected: ExpectedSums,
  { rowsFromMs, hoursFromMs, unreadDays }: Comparable,
): AsyncGenerator<string> {
  const fromHour = stepOf(rowsFromMs, "hour");
  const fromDay = stepOf(hoursFromMs, "day");
  const days: ExpectedSums = new Map();
  for (const kind of ["counts", "times"] as const) {
    const hours = withDays(storedSums(store, kind, "hour"), kind, days);
    for await (const { subject, time, sums } of hours) {
      if (time >= fromHour && !unreadDays.has(dayOfHour(time))) {
        yield* difference({ name: nameOf(kind, subject, time), sums }, expected, "calls");
      }
    }
  }
  yield* missing(expected, "calls");
  for (const kind of ["counts", "times"] as const) {
    for await (const { subject, time, sums } of storedSums(store, kind, "day")) {
      if (time > fromDay) {
        yield* difference({ name: nameOf(kind, subject, time), sums }, days, "hours");
      } else days.delete(nameOf(kind, subject, time));
    }
  }
  yield* missing(days, "hours");
}

interface StoredSums {
  readonly subject: RollupSubject;
  readonly time: string;
  readonly sums: Sums;
}

/**
 * All sums of one kind in the order of their keys, without those of sessions, which are deleted before
 * the rows.
 */
async function* storedSums(
  store: Store,
  kind: SumKind,
  step: RollupStep,
): AsyncGenerator<StoredSums> {
  const entries = store.kv.list({ prefix: kinds[kind](step) }, { batchSize: 500 });
  for await (const entry of entries) {
    const [, dimension, scope, value, time] = entry.key.map(String);
    const subject = { dimension, scope, value } as RollupSubject; // only addToRollups writes there
    if (!isOfSession(subject)) yield { subject, time, sums: new Map(sumsOfEntry(entry)) };
  }
}

/** Passes the sums of hours through, and adds them up by day. */
async function* withDays(
  hours: AsyncIterable<StoredSums>,
  kind: SumKind,
  days: ExpectedSums,
): AsyncGenerator<StoredSums> {
  let day: StoredSums | undefined;
  const close = (done: StoredSums) =>
    days.set(nameOf(kind, done.subject, done.time), textOf(done.sums));
  for await (const hour of hours) {
    const time = dayOfHour(hour.time);
    const same = day && day.time === time &&
      nameOf(kind, day.subject, "") === nameOf(kind, hour.subject, "");
    if (day && !same) close(day);
    const sums: Sums = day && same ? day.sums : new Map();
    addIncrements(sums, hour.sums);
    day = { subject: hour.subject, time, sums };
    yield hour;
  }
  if (day) close(day);
}

/** The source of a rollup's sum. */
type Source = "calls" | "hours";

function* difference(
  { name, sums }: { readonly name: string; readonly sums: Sums },
  expected: ExpectedSums,
  source: Source,
): Generator<string> {
  const wanted = expected.get(name);
  expected.delete(name);
  const found = textOf(sums);
  if (wanted === found) return;
  yield `${name}: the rollup says ${found}, its ${source} add up to ${wanted ?? "nothing"}`;
}

/** Yields expected sums that were not found. */
function* missing(expected: ExpectedSums, source: Source): Generator<string> {
  for (const [name, wanted] of expected) {
    yield `${name}: the rollup says nothing, its ${source} add up to ${wanted}`;
  }
}

/** The name of a sum in a sentence; unique. */
function nameOf(kind: SumKind, { dimension, scope, value }: RollupSubject, time: string): string {
  const owner = dimension === "keyModel" || dimension === "tag"
    ? "key"
    : dimension.startsWith("project")
    ? "project"
    : "account";
  const whose = scope === "" ? "" : ` of ${owner} ${JSON.stringify(scope)}`;
  return `${kind} of ${dimension} ${JSON.stringify(value)}${whose} in ${time}`;
}

function textOf(sums: Sums): string {
  return [...sums].map(([name, amount]) => `${name}=${amount}`).sort().join(" ");
}
