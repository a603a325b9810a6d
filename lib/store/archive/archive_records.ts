import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";

/** One file of the log's archive, whose content was read back and compared. */
export interface ArchivedPart {
  /** The UTC day on which its calls began, such as `2026-11-21`. */
  readonly day: string;
  /** 1 for the first of the day. */
  readonly number: number;
  /** Random, so that no copy of the store writes a file of the same name. */
  readonly attempt: string;
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
  /** The sum of the upstream costs that its rows state; absent: none does. */
  readonly upstreamNanoUsd?: bigint;
}

const numberDigits = 6;

/** Lists the parts of some days, both included, in order; of all days by default. */
export async function listArchiveParts(
  store: Store,
  { fromDay = "", toDay = "9999-99-99" } = {},
): Promise<ArchivedPart[]> {
  const selector = {
    start: keys.archivePartsOfDay(fromDay),
    end: keys.archivePartsOfDay(`${toDay}\0`),
  };
  const parts: ArchivedPart[] = [];
  for await (const { value } of store.kv.list<ArchivedPart>(selector)) parts.push(value); // only setArchivePart writes there
  return parts;
}

/** The last day that has a file in the archive; undefined if there is none. */
export async function lastArchivedDay(store: Store): Promise<string | undefined> {
  const selector = { prefix: keys.archiveParts };
  const options = { reverse: true, limit: 1 };
  for await (const { value } of store.kv.list<ArchivedPart>(selector, options)) return value.day;
}

export async function nextPartNumber(store: Store, day: string): Promise<number> {
  const selector = { prefix: keys.archivePartsOfDay(day) };
  const options = { reverse: true, limit: 1 };
  for await (const { value } of store.kv.list<ArchivedPart>(selector, options)) {
    return value.number + 1;
  }
  return 1;
}

export function setArchivePart(operation: AtomicOperation, part: ArchivedPart): void {
  const number = String(part.number).padStart(numberDigits, "0");
  operation.set(keys.archivePart(part.day, number), part);
}

/** Says how many archived days nobody reads without a configured archive; undefined if there is none. */
export async function unreadArchive(store: Store): Promise<string | undefined> {
  const { size } = new Set((await listArchiveParts(store)).map(({ day }) => day));
  if (size === 0) return undefined;
  const days = size === 1 ? "1 archived day is" : `${size} archived days are`;
  return `${days} not read: logArchive is not configured`;
}

interface LeaseRecord {
  readonly runId: string;
  readonly leftUntilMs: number;
}

/** Longer than the slowest read and write of a file together. */
const leaseMs = 10 * 60_000;

/**
 * The right to write the archive, which one isolate has at a time. All its changes go through
 * `commit`, which fails once another isolate has taken over.
 */
export class ArchiveLease {
  readonly #store: Store;
  #versionstamp: string;

  /** Returns undefined while another isolate has the lease. */
  static async take(store: Store): Promise<ArchiveLease | undefined> {
    const entry = await store.kv.get<LeaseRecord>(keys.archiveLease); // only this class writes it
    if (entry.value !== null && isHeld(store, entry.value)) return undefined;
    const operation = store.kv.atomic().check(entry).set(entry.key, renewed(store));
    const result = await operation.commit();
    return result.ok ? new ArchiveLease(store, result.versionstamp) : undefined;
  }

  private constructor(store: Store, versionstamp: string) {
    this.#store = store;
    this.#versionstamp = versionstamp;
  }

  /** Commits a change and renews the lease. Throws `conflict` if another isolate has the lease. */
  async commit(change: (operation: AtomicOperation) => void): Promise<void> {
    const operation = this.#store.kv.atomic()
      .check({ key: keys.archiveLease, versionstamp: this.#versionstamp })
      .set(keys.archiveLease, renewed(this.#store));
    change(operation);
    const result = await operation.commit();
    if (!result.ok) throw taken();
    this.#versionstamp = result.versionstamp;
  }

  /** Lets others write. Does nothing if another isolate has taken over. */
  async release(): Promise<void> {
    await this.#store.kv.atomic()
      .check({ key: keys.archiveLease, versionstamp: this.#versionstamp })
      .delete(keys.archiveLease).commit();
  }
}

/** A local store belongs to one process at a time: the lease of an earlier one is free. */
function isHeld({ sharedByProcesses, runId }: Store, lease: LeaseRecord): boolean {
  return (sharedByProcesses || lease.runId === runId) && lease.leftUntilMs > Date.now();
}

function renewed({ runId }: Store): LeaseRecord {
  return { runId, leftUntilMs: Date.now() + leaseMs };
}

function taken(): StoreError {
  return new StoreError("conflict", "Cannot archive the log: another isolate has taken over");
}
