import { noteApiKeyUse } from "../api_keys/api_key.ts";
import {
  addDeniedCalls,
  addFormerSecretUse,
  type DenialReason,
  type DeniedCalls,
  type FormerSecretUse,
} from "../api_keys/counted_calls.ts";
import type { Store } from "../kv/store.ts";

/** The number of uses that one commit takes. */
const usesPerCommitMax = 1_000;
/** The number of uses that may wait for commits; uses of further keys are dropped. */
const usesWaitingMax = 20_000;
const formerWaitingMax = 1_000;

/** A use of the secret that a rotation replaced. */
export interface FormerUse {
  readonly digest: string;
  readonly ip: string;
}

/**
 * Records when keys were last used, with at most one commit per interval. It never delays a
 * request, and a time that cannot be written is dropped: it informs people and moves no money.
 */
export class KeyUse {
  readonly #waiting = new Map<string, number>();
  readonly #former = new Map<string, FormerSecretUse>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly store: Store, readonly intervalMs: number) {}

  touch(id: string, atMs: number, former?: FormerUse): void {
    if (former) this.#noteFormer(former, atMs);
    const noted = this.#waiting.get(id);
    if (this.#closed || (noted === undefined && this.#waiting.size >= usesWaitingMax)) return;
    if (noted === undefined || noted < atMs) this.#waiting.set(id, atMs);
    this.#start();
  }

  /** Writes the remaining uses. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    do await this.#write(); while (this.#waiting.size > 0);
  }

  #noteFormer({ digest, ip }: FormerUse, atMs: number): void {
    const known = this.#former.get(digest);
    if (this.#closed || (known === undefined && this.#former.size >= formerWaitingMax)) return;
    this.#former.set(digest, { count: 1 + (known?.count ?? 0), atMs, ip });
  }

  #start(): void {
    if (this.#timer !== undefined || this.#closed) return;
    const timer = setTimeout(async () => {
      await this.#write();
      this.#timer = undefined;
      if (this.#waiting.size > 0) this.#start();
    }, this.intervalMs);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  async #write(): Promise<void> {
    const uses = new Map([...this.#waiting].slice(0, usesPerCommitMax));
    for (const id of uses.keys()) this.#waiting.delete(id);
    const former = [...this.#former];
    this.#former.clear();
    await Promise.all([
      uses.size > 0 && noteApiKeyUse(this.store, uses).catch(() => {}),
      ...former.map(([digest, use]) => addFormerSecretUse(this.store, digest, use).catch(() => {})),
    ]);
  }
}

/** Maximum number of denials in memory; denials of further keys are dropped. */
const waitingMax = 10_000;
const [soonMs, laterMs, minuteMs] = [1_000, 15_000, 60_000];

interface Waiting extends DeniedCalls {
  readonly keyId: string;
}

/**
 * Counts refused calls of known keys, with at most a few writes a minute per key and reason. It
 * never delays a request, and a count that cannot be written is dropped: it informs people and
 * moves no money.
 */
export class DenialNotes {
  readonly #waiting = new Map<string, Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #writtenAtMs = 0;
  #closed = false;

  constructor(readonly store: Store) {}

  note(keyId: string, reason: DenialReason, { ip, atMs }: { ip: string; atMs: number }): void {
    const startMs = Math.floor(atMs / minuteMs) * minuteMs;
    const name = `${keyId} ${reason} ${startMs}`;
    const known = this.#waiting.get(name);
    if (this.#closed || (known === undefined && this.#waiting.size >= waitingMax)) return;
    const count = 1 + (known?.count ?? 0);
    this.#waiting.set(name, { keyId, reason, minuteMs: startMs, count, atMs, ip });
    this.#start();
  }

  /** Writes the counts in memory, before somebody reads them. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.flush();
  }

  /** Writes the first count soon, because somebody may be waiting for it; collects later ones. */
  #start(): void {
    if (this.#timer !== undefined) return;
    const quiet = Date.now() - this.#writtenAtMs > laterMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, quiet ? soonMs : laterMs);
    Deno.unrefTimer(this.#timer);
  }

  async #write(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (waiting.length > 0) this.#writtenAtMs = Date.now();
    for (const { keyId, ...denied } of waiting) {
      await addDeniedCalls(this.store, keyId, denied).catch(() => {});
    }
  }
}
