/** What a call was thought to cost at most, and what it and its output came to. */
interface Past {
  readonly bound: bigint;
  readonly nanoUsd: bigint;
  readonly outputTokens: number;
}

const callsKept = 8;
const kindsKept = 5_000;

/** What recent calls of each key and model came to, to judge the next one by. */
export class RecentCosts {
  readonly #pasts = new Map<string, Past[]>();

  note(kind: string, past: Past): void {
    const pasts = this.#pasts.get(kind) ?? [];
    this.#pasts.delete(kind);
    this.#pasts.set(kind, [...pasts.slice(1 - callsKept), past]);
    if (this.#pasts.size <= kindsKept) return;
    for (const oldest of this.#pasts.keys()) {
      this.#pasts.delete(oldest);
      return;
    }
  }

  /** What a call of that bound will hardly exceed, judged by the dearest of recent ones; undefined where there were none. */
  likely(kind: string, bound: bigint): bigint | undefined {
    let likely: bigint | undefined;
    for (const past of this.#pasts.get(kind) ?? []) {
      if (past.bound === 0n) continue;
      const scaled = past.nanoUsd * bound / past.bound;
      if (likely === undefined || scaled > likely) likely = scaled;
    }
    return likely;
  }

  /** The most output tokens of recent calls; undefined where there were none. */
  outputTokens(kind: string): number | undefined {
    const pasts = this.#pasts.get(kind);
    return pasts && Math.max(...pasts.map(({ outputTokens }) => outputTokens));
  }
}
