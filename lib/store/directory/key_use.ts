import { noteApiKeyUse } from "../api_keys/api_key.ts";
import { addFormerSecretUse, type FormerSecretUse } from "../api_keys/former_secret_use.ts";
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
