import { SharedRun } from "../directory/shared_run.ts";
import type { StoreFile } from "../file/store_file.ts";
import { StoreHealth } from "../file/store_health.ts";
import { keys } from "../keys.ts";
import { RecentRows } from "../settling/recent_rows.ts";
import { RollupCache, SubjectCache } from "../usage/rollup_cache.ts";
import type { AtomicOperation, Database } from "./database.ts";
import type { RemoteEngine } from "./remote_engine.ts";
import type { SecretBox } from "./secret_box.ts";

interface StoreOptions {
  readonly secretBox: SecretBox;
  /** True if other processes may open the same store (KV Connect, Deno Deploy). */
  readonly sharedByProcesses: boolean;
  /** True if each write is billed (Deno Deploy's database). */
  readonly isMetered?: boolean;
  /** Shared by all isolates of a process, new at each start. */
  readonly runId: string;
  /** Retention of log rows. */
  readonly logRetentionMs?: number;
  /** Receives every failure of the database; by default, a new one. */
  readonly health?: StoreHealth;
  /** The file of a local store, closed with the store. */
  readonly file?: StoreFile;
  /** The connection of a remote store. */
  readonly remote?: RemoteEngine;
  /** Notices for the operator from opening the store. */
  readonly notices?: readonly string[];
  /** Called once after the database is closed, for example to release a lock. */
  readonly onClose?: () => void;
}

const dayMs = 86_400_000;
const logRetentionMs = 90 * dayMs;

/** Must not throw. */
type ChangeListener = (versionstamp: string) => void;

/**
 * An open database, with the means to seal its contents and the listeners for changes in this
 * isolate. Functions of `lib/store` take it as first argument; nobody else touches `kv`.
 */
export class Store {
  readonly secretBox: SecretBox;
  readonly sharedByProcesses: boolean;
  readonly isMetered: boolean;
  readonly runId: string;
  readonly logRetentionMs: number;
  /** Tracks whether the store can record anything. */
  readonly health: StoreHealth;
  /** Absent unless the database is a local file. */
  readonly file?: StoreFile;
  /** Absent unless the database is on a server. */
  readonly remote?: RemoteEngine;
  readonly notices: readonly string[];
  readonly rollupCache = new RollupCache();
  readonly subjectCache = new SubjectCache();
  readonly recentRows = new RecentRows();
  /** Running compactions of all isolates' rows, with and without their rollups. */
  readonly compactions = { whole: new SharedRun<number>(), rows: new SharedRun<number>() };
  readonly #onClose: (() => void) | undefined;
  readonly #listeners = new Set<ChangeListener>();
  #closed = false;

  constructor(readonly kv: Database, options: StoreOptions) {
    this.secretBox = options.secretBox;
    this.sharedByProcesses = options.sharedByProcesses;
    this.isMetered = options.isMetered ?? false;
    this.runId = options.runId;
    this.logRetentionMs = options.logRetentionMs ?? logRetentionMs;
    this.health = options.health ?? new StoreHealth("in memory");
    this.file = options.file;
    this.remote = options.remote;
    this.notices = options.notices ?? [];
    this.#onClose = options.onClose;
  }

  /**
   * Commits a change of data that gateways hold in memory: bumps the change key in the same commit
   * and notifies this isolate's listeners before it returns. Returns false if a check failed.
   */
  async commitChange(operation: AtomicOperation): Promise<boolean> {
    operation.set(keys.change, crypto.randomUUID());
    const result = await operation.commit();
    if (result.ok) { for (const listener of this.#listeners) listener(result.versionstamp); }
    return result.ok;
  }

  /**
   * Calls the listener with the versionstamp of each change by this isolate. Returns a function
   * that stops it.
   */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.kv.close();
    this.file?.close();
    this.#onClose?.();
  }
}
