import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";

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
