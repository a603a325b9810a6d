import type { ConnectionPool } from "./connection_pool.ts";

type Entry = Deno.KvEntryMaybe<unknown>;

interface WatchesOptions {
  readonly connections: ConnectionPool;
  /** The channel on which commits report watched keys. */
  readonly channel: string;
  /** Reads keys, in order. */
  readonly read: (keys: readonly Deno.KvKey[]) => Promise<readonly Entry[]>;
}

interface Watched {
  readonly keys: readonly Deno.KvKey[];
  readonly controller: ReadableStreamDefaultController<Entry[]>;
  /** The versionstamps of the last entries that it got. */
  seen?: string;
}

/** The usual interval of polls, and that while no notification arrives. */
const [notifiedPollMs, usualPollMs] = [1_000, 200];

/**
 * Reports changed keys: after a notification of the database at once, and after the next poll in any
 * case. A failed read ends all watches with its error.
 */
export class Watches {
  readonly #options: WatchesOptions;
  readonly #watched = new Set<Watched>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #polling: Promise<void> | undefined;
  #pollsAgain = false;
  #isListening = false;
  #isNotified = false;

  constructor(options: WatchesOptions) {
    this.#options = options;
  }

  watch(keys: readonly Deno.KvKey[]): ReadableStream<Entry[]> {
    let watched: Watched;
    return new ReadableStream({
      start: (controller) => {
        watched = { keys, controller };
        this.#watched.add(watched);
        this.poll();
      },
      cancel: () => void this.#watched.delete(watched),
    });
  }

  /** Reads all watched keys now, or once more after the read that is running. */
  poll(): void {
    clearTimeout(this.#timer);
    if (this.#watched.size === 0) return;
    if (this.#polling) return void (this.#pollsAgain = true);
    this.#listen();
    this.#polling = this.#poll().finally(() => this.#polled());
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const { controller } of this.#watched) controller.close();
    this.#watched.clear();
  }

  #polled(): void {
    this.#polling = undefined;
    const again = this.#pollsAgain;
    this.#pollsAgain = false;
    if (again) return this.poll();
    if (this.#watched.size === 0) return;
    this.#timer = setTimeout(() => this.poll(), this.#isNotified ? notifiedPollMs : usualPollMs);
    Deno.unrefTimer(this.#timer);
  }

  async #poll(): Promise<void> {
    const all = [...this.#watched];
    try {
      const entries = await this.#options.read(all.flatMap(({ keys }) => keys));
      let at = 0;
      for (const watched of all) {
        this.#report(watched, entries.slice(at, at += watched.keys.length));
      }
    } catch (error) {
      for (const watched of all) if (this.#watched.delete(watched)) watched.controller.error(error);
    }
  }

  #report(watched: Watched, entries: Entry[]): void {
    const seen = entries.map(({ versionstamp }) => versionstamp).join();
    if (seen === watched.seen || !this.#watched.has(watched)) return;
    watched.seen = seen;
    watched.controller.enqueue(entries);
  }

  /** The first notification, of the listener to itself, proves that they arrive. */
  #listen(): void {
    const { connections, channel } = this.#options;
    if (this.#isListening || connections.isFull) return;
    this.#isListening = true;
    const ended = () => {
      this.#isListening = false;
      this.#isNotified = false;
    };
    const heard = () => {
      this.#isNotified = true;
      this.poll();
    };
    connections.listen(channel, heard, ended).catch(ended);
  }
}
