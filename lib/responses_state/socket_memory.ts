import type { History } from "./exchange.ts";

/** A response in memory, with everything that a call which continues it needs. */
interface Remembered {
  readonly id: string;
  readonly accountId: string;
  /** Its input, its output and all before them. */
  readonly history: History;
  /** The length of all items as JSON text, in characters. */
  readonly length: number;
}

/** The memory of one call on a socket: it continues what the socket holds, and adds its answer. */
export interface TurnMemory {
  /** True if the call only prepares the next one: its answer is empty, and nothing is sent upstream. */
  readonly preparesOnly: boolean;
  find(accountId: string, id: string): Remembered | undefined;
  /** Replaces the latest response of the call's lane. */
  keep(remembered: Remembered): void;
}

interface MemoryLimits {
  readonly totalLength: number;
  readonly accountLength: number;
}

/**
 * The latest responses of all lanes of this isolate's sockets, in JSON characters. Beyond its limits
 * the least recently used ones of the account, or of all, are forgotten: first those of lanes without
 * a call in progress, which would continue from them.
 */
export class SocketMemory {
  readonly #limits: MemoryLimits;
  /** The least recently used first. */
  readonly #entries = new Set<Entry>();
  readonly #ofAccounts = new Map<string, number>();
  #length = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#length;
  }

  add(entry: Entry): void {
    const { accountId, length } = entry.remembered;
    const { accountLength, totalLength } = this.#limits;
    this.#entries.add(entry);
    this.#count(accountId, length);
    const ofAccount = ({ remembered }: Entry) => remembered.accountId === accountId;
    this.#shrink(() => (this.#ofAccounts.get(accountId) ?? 0) > accountLength, ofAccount);
    this.#shrink(() => this.#length > totalLength, () => true);
  }

  /** Notes a use. */
  touch(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#entries.add(entry);
  }

  delete(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    this.#count(entry.remembered.accountId, -entry.remembered.length);
  }

  #shrink(isOver: () => boolean, isChosen: (entry: Entry) => boolean): void {
    this.#evict(isOver, (entry) => isChosen(entry) && !entry.isRunning());
    this.#evict(isOver, isChosen);
  }

  #evict(isOver: () => boolean, isChosen: (entry: Entry) => boolean): void {
    for (const entry of this.#entries) {
      if (!isOver()) return;
      if (isChosen(entry)) entry.forget();
    }
  }

  #count(accountId: string, length: number): void {
    this.#length += length;
    const ofAccount = (this.#ofAccounts.get(accountId) ?? 0) + length;
    if (ofAccount > 0) this.#ofAccounts.set(accountId, ofAccount);
    else this.#ofAccounts.delete(accountId);
  }
}

interface Entry {
  readonly remembered: Remembered;
  /** True while a call of its lane runs. */
  readonly isRunning: () => boolean;
  readonly forget: () => void;
}

/** The latest response of each lane of one socket. */
export class LaneMemory {
  readonly #shared: SocketMemory;
  readonly #latest = new Map<string, Entry>();

  constructor(shared: SocketMemory) {
    this.#shared = shared;
  }

  find(accountId: string, id: string): Remembered | undefined {
    for (const entry of this.#latest.values()) {
      if (entry.remembered.id !== id || entry.remembered.accountId !== accountId) continue;
      this.#shared.touch(entry);
      return entry.remembered;
    }
  }

  /** The memory of a call on a lane; `isRunning` says whether the lane has a call in progress. */
  ofCall(
    lane: string,
    { preparesOnly, isRunning }: Pick<TurnMemory, "preparesOnly"> & Pick<Entry, "isRunning">,
  ): TurnMemory {
    return {
      preparesOnly,
      find: (accountId, id) => this.find(accountId, id),
      keep: (remembered) => this.#keep(lane, remembered, isRunning),
    };
  }

  #keep(lane: string, remembered: Remembered, isRunning: () => boolean): void {
    this.forget(lane);
    const entry = { remembered, isRunning, forget: () => this.forget(lane) };
    this.#latest.set(lane, entry);
    this.#shared.add(entry);
  }

  /** Forgets the latest response of a lane; with `id`, only if it is that one. */
  forget(lane: string, id?: string): void {
    const entry = this.#latest.get(lane);
    if (!entry || (id !== undefined && entry.remembered.id !== id)) return;
    this.#latest.delete(lane);
    this.#shared.delete(entry);
  }

  /** True if it is the latest response of a lane. */
  holds(id: string): boolean {
    return this.#latest.values().some(({ remembered }) => remembered.id === id);
  }

  close(): void {
    for (const lane of [...this.#latest.keys()]) this.forget(lane);
  }
}
