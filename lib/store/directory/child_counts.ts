import { BoundedMap } from "../../bounded_map.ts";
import type { ApiKey } from "../api_keys/api_key.ts";
import type { Store } from "../kv/store.ts";
import type { ChildBudget } from "../money/budget.ts";
import { isChildBudgetUsed, listChildBudgets } from "../money/child_budget.ts";

/** The live children of one key that may have budgets: each leaves a record in the store for a day. */
const liveChildrenMax = 10_000;
const recountMs = 10_000;
const keysMax = 10_000;

interface Counted {
  readonly atMs: number;
  readonly stored: Promise<number>;
  /** Those that this isolate admitted since. */
  more: number;
}

/** Bounds the child keys with budgets of each key, from memory for most of them. */
export class ChildCounts {
  readonly #counted = new BoundedMap<string, Counted>(keysMax);

  constructor(readonly store: Store, readonly max: number = liveChildrenMax) {}

  /** Returns false for a child without a record if the key has too many others. */
  async admits(
    { id: keyId, accountId }: Pick<ApiKey, "id" | "accountId">,
    { name, endsAtMs }: Pick<ChildBudget, "name" | "endsAtMs">,
    nowMs: number,
  ): Promise<boolean> {
    const counted = this.#countedAt(keyId, accountId, nowMs);
    const live = await counted.stored + counted.more++;
    return live < this.max ||
      await isChildBudgetUsed(this.store, { keyId, accountId, name, endsAtMs });
  }

  #countedAt(id: string, accountId: string, nowMs: number): Counted {
    const known = this.#counted.get(id);
    if (known && nowMs - known.atMs < recountMs) return known;
    const query = { fromMs: nowMs, limit: this.max };
    const stored = listChildBudgets(this.store, { id, accountId }, query)
      .then(({ length }) => length, () => 0); // a store that fails refuses the call itself
    const counted = { atMs: nowMs, stored, more: 0 };
    this.#counted.set(id, counted);
    return counted;
  }
}
