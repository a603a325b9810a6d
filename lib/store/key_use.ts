import { noteApiKeyUse } from "./api_key.ts";
import type { Store } from "./store.ts";

/** What one commit takes. */
const usesPerCommitMax = 1_000;
/** What waits for commits; beyond it uses of further keys go unnoted. */
const usesWaitingMax = 20_000;

/**
 * Notes when keys were last used, at most one commit each interval. It never delays a request, and
 * a note that cannot be written is dropped: it is for people to read, not for money.
 */
export class KeyUse {
  readonly #waiting = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly store: Store, readonly intervalMs: number) {}

  touch(id: string, atMs: number): void {
    const noted = this.#waiting.get(id);
    if (this.#closed || (noted === undefined && this.#waiting.size >= usesWaitingMax)) return;
    if (noted === undefined || noted < atMs) this.#waiting.set(id, atMs);
    this.#start();
  }

  /** Writes what is waiting. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    while (this.#waiting.size > 0) await this.#write();
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
    await noteApiKeyUse(this.store, uses).catch(() => {});
  }
}
