import { addDeniedCalls, type DenialReason, type DeniedCalls } from "../api_keys/denied_calls.ts";
import type { Store } from "../kv/store.ts";

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
