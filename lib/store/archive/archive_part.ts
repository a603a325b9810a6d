import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/** One file of the log's archive. Its number is never given to another file of its day. */
interface PartName {
  /** The UTC day on which its calls began, such as `2026-11-21`. */
  readonly day: string;
  /** 1 for the first of the day. */
  readonly number: number;
}

/** A file whose content was read back and compared. */
export interface ArchivedPart extends PartName {
  /** `verified`: some of its rows may still be in the store, too. `archived`: they are only here. */
  readonly state: "verified" | "archived";
  readonly rows: number;
  /** The size of the file. */
  readonly bytes: number;
  /** The SHA-256 of the file, in hex. */
  readonly sha256: string;
  /** The ids of its first and last row. */
  readonly newestId: string;
  readonly oldestId: string;
  /** The sum of its rows' charges. */
  readonly costNanoUsd: bigint;
}

/** A file that is being written, or whose writer died; its rows are all still in the store. */
interface UnfinishedPart extends PartName {
  readonly state: "writing" | "abandoned";
  readonly atMs: number;
}

type ArchivePart = ArchivedPart | UnfinishedPart;

const numberDigits = 6;

/** Returns true for a part whose file holds its rows. */
export function isReadable(part: ArchivePart): part is ArchivedPart {
  return part.state === "verified" || part.state === "archived";
}

/** Lists the parts of some days, both included, in order; of all days by default. */
export async function listArchiveParts(
  store: Store,
  { fromDay = "", toDay = "9999-99-99" } = {},
): Promise<ArchivePart[]> {
  const selector = {
    start: keys.archivePartsOfDay(fromDay),
    end: keys.archivePartsOfDay(`${toDay}\0`),
  };
  const parts: ArchivePart[] = [];
  for await (const { value } of store.kv.list<ArchivePart>(selector)) parts.push(value); // only setArchivePart writes there
  return parts;
}

/** The last day that has a file in the archive; undefined if there is none. */
export async function lastArchivedDay(store: Store): Promise<string | undefined> {
  const selector = { prefix: keys.archiveParts };
  for await (const { value } of store.kv.list<ArchivePart>(selector, { reverse: true })) {
    if (isReadable(value)) return value.day;
  }
}

export async function nextPartNumber(store: Store, day: string): Promise<number> {
  const selector = { prefix: keys.archivePartsOfDay(day) };
  const options = { reverse: true, limit: 1 };
  for await (const { value } of store.kv.list<ArchivePart>(selector, options)) {
    return value.number + 1;
  }
  return 1;
}

export function setArchivePart(operation: Deno.AtomicOperation, part: ArchivePart): void {
  const number = String(part.number).padStart(numberDigits, "0");
  operation.set(keys.archivePart(part.day, number), part);
}
