import type { LimitOwner, LimitState } from "../canonical/mod.ts";

/** Whose money a call spends. */
export interface Spender {
  readonly keyId: string;
  readonly groupId: string;
  readonly accountId: string;
}

/** Somebody whose budgets and balance are to be looked at. */
export interface NotedOwner {
  readonly owner: LimitOwner;
  readonly id: string;
  /** When money was spent or refused last. */
  atMs: number;
  /** When calls were refused last, by the limit's name. */
  readonly refusals: Map<string, number>;
}

/** Who spent since the last look. Noting costs a call three look-ups in memory. */
export class NotedOwners {
  #owners = new Map<string, NotedOwner>();

  noteSpent(spender: Spender, atMs: number): void {
    this.note("key", spender.keyId, atMs);
    this.note("group", spender.groupId, atMs);
    this.note("account", spender.accountId, atMs);
  }

  /** Each owner knows by the name whether the limit is its own. */
  noteRefused(spender: Spender, { name }: Pick<LimitState, "name">, atMs: number): void {
    this.note("key", spender.keyId, atMs).refusals.set(name, atMs);
    this.note("group", spender.groupId, atMs).refusals.set(name, atMs);
    this.note("account", spender.accountId, atMs).refusals.set(name, atMs);
  }

  note(owner: LimitOwner, id: string, atMs: number): NotedOwner {
    const place = `${owner} ${id}`;
    const noted = this.#owners.get(place) ?? { owner, id, atMs, refusals: new Map() };
    noted.atMs = Math.max(noted.atMs, atMs);
    this.#owners.set(place, noted);
    return noted;
  }

  /** All of them, which are forgotten here. */
  take(): NotedOwner[] {
    const taken = [...this.#owners.values()];
    this.#owners = new Map();
    return taken;
  }

  /** Notes again who could not be looked at. */
  putBack({ owner, id, atMs, refusals }: NotedOwner): void {
    const noted = this.note(owner, id, atMs);
    for (const [name, refusedAtMs] of refusals) {
      noted.refusals.set(name, Math.max(refusedAtMs, noted.refusals.get(name) ?? 0));
    }
  }
}
