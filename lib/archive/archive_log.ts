import {
  type ArchivedPart,
  ArchiveLease,
  firstLoggedDay,
  listArchiveParts,
  nextPartNumber,
  removeRows,
  setArchivePart,
} from "../store/archive/mod.ts";
import { stepMs, stepStartMs, streamRequestLogs } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import {
  encodePart,
  fileName,
  linesOf,
  newAttempt,
  type PartFile,
  readPart,
  readRow,
} from "./part_file.ts";
import { ArchiveError, type ArchivePlace } from "./place.ts";

/** The log, its archive, and the bounds of a run. */
interface ArchiveOptions {
  readonly store: Store;
  readonly place: ArchivePlace;
  /** Whole UTC days that stay in the store. */
  readonly keepDays: number;
  readonly nowMs: number;
  /** Stops between two steps; a later run continues. */
  readonly signal?: AbortSignal;
  /** The rows of a file; 10,000 by default. */
  readonly partRowsMax?: number;
}

/** The rows that a run has moved, and the size of their files. */
interface ArchiveRun {
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
}

/** A file of half a megabyte: the live heap of a run stays at 16 MiB. */
const partRowsMax = 10_000;

/**
 * Moves the rows of past days to the archive, oldest day first: writes a file, reads it back, and
 * only then removes its rows from the store. Each row ends in one file, wherever a run is killed:
 * the next run completes or repeats its last step. Undefined while another isolate archives.
 * Throws `ArchiveError` if the place fails; the rows then stay in the store. A file that cannot be
 * read keeps the rows of its day, and all other days are moved before the error is thrown.
 */
export async function archiveLog(options: ArchiveOptions): Promise<ArchiveRun | undefined> {
  const lease = await ArchiveLease.take(options.store);
  if (!lease) return undefined;
  try {
    const run = { ...options, lease };
    await compactRows(options.store);
    const unfinished = await finishParts(run);
    const moved = await archiveDays(run, new Set(unfinished.keys()));
    for (const error of unfinished.values()) throw error;
    return moved;
  } finally {
    await lease.release();
  }
}

interface Run extends ArchiveOptions {
  readonly lease: ArchiveLease;
}

/**
 * Removes the rows whose file an ended run wrote. Returns the days whose file cannot be read: their
 * rows stay in the store.
 */
async function finishParts(run: Run): Promise<ReadonlyMap<string, ArchiveError>> {
  const unfinished = new Map<string, ArchiveError>();
  for (const part of await listArchiveParts(run.store)) {
    run.signal?.throwIfAborted();
    if (part.state !== "verified") continue;
    try {
      await removeArchived(run, part, await idsIn(run, part));
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      unfinished.set(part.day, error);
    }
  }
  return unfinished;
}

async function archiveDays(run: Run, skipped: ReadonlySet<string>): Promise<ArchiveRun> {
  const { store, keepDays, nowMs, signal } = run;
  const toMs = (Math.floor(nowMs / stepMs.day) - keepDays) * stepMs.day;
  const sum = { rows: 0, files: 0, bytes: 0 };
  for (let fromMs = 0; fromMs < toMs;) {
    signal?.throwIfAborted();
    const day = await firstLoggedDay(store, { fromMs, toMs });
    if (day === undefined) break;
    const part = skipped.has(day) ? undefined : await archivePart(run, day);
    if (!part) fromMs = stepStartMs(day, "day") + stepMs.day; // skipped, or an index without rows
    else {
      sum.rows += part.rows;
      sum.bytes += part.bytes;
      sum.files++;
    }
  }
  return sum;
}

/** Archives the newest rows of a day. Undefined if it has none. */
async function archivePart(run: Run, day: string): Promise<ArchivedPart | undefined> {
  const { store, lease, signal } = run;
  const fromMs = stepStartMs(day, "day");
  const rows = streamRequestLogs(store, { fromMs, toMs: fromMs + stepMs.day });
  const file = await encodePart(rows, run.partRowsMax ?? partRowsMax);
  if (!file) return undefined;
  signal?.throwIfAborted();
  const name = { day, number: await nextPartNumber(store, day), attempt: newAttempt() };
  const part = { ...name, ...file.facts, state: "verified" } as const;
  await writeFile(run, part, file);
  await lease.commit((operation) => setArchivePart(operation, part));
  signal?.throwIfAborted();
  await removeArchived(run, part, file.ids);
  return part;
}

/**
 * Writes a file and compares what can be read of it. Removes it after a failure. Only its writer
 * may: in a copy of the store, such as a backup, a file may seem unfinished that counts.
 */
async function writeFile(
  { place, lease, signal }: Run,
  part: ArchivedPart,
  { bytes, facts: { sha256 } }: PartFile,
): Promise<void> {
  await lease.commit(() => {}); // writing takes long
  try {
    await place.put(fileName(part), { bytes, sha256 }, signal);
    await lease.commit(() => {}); // reading takes long, too
    await readPart(place, part, signal);
  } catch (error) {
    await place.remove(fileName(part)).catch(() => {}); // no record names it
    throw error;
  }
}

async function removeArchived(
  { store, lease }: Run,
  part: ArchivedPart,
  ids: ReadonlySet<string>,
): Promise<void> {
  await removeRows(store, lease, { ids, newestId: part.newestId, oldestId: part.oldestId });
  await lease.commit((operation) => setArchivePart(operation, { ...part, state: "archived" }));
}

async function idsIn({ place, signal }: Run, part: ArchivedPart): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const lines of linesOf(await readPart(place, part, signal))) {
    for (const line of lines) ids.add(readRow(line).id);
  }
  if (ids.size === part.rows) return ids;
  throw new ArchiveError(
    `Cannot archive the log: ${fileName(part)} has ${ids.size} rows instead of ${part.rows}`,
  );
}
