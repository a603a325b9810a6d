import { costOf, priceAtHour, resolvePrice } from "../../ledger/mod.ts";
import type { ModelPrice } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { streamRequestLogs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";

/** The cost of a model's recent calls under another price. Amounts are nano-dollars. */
export interface Rerating {
  readonly calls: number;
  /** The actual cost, including the part that could not be charged. */
  readonly costNanoUsd: bigint;
  readonly wouldNanoUsd: bigint;
  /** The number of calls that cost nothing because the model had no price. */
  readonly unpriced: number;
  /** True if only a part of the calls was examined. */
  readonly isCut: boolean;
}

const reratedDays = 7;
export const reratedCallsMax = 20_000;
const dayMs = 86_400_000;

/** Reads the log, newest first, and applies the groups' current ratios. */
export async function rerate(
  store: Store,
  { model, price, directory, nowMs }: {
    readonly model: string;
    readonly price: ModelPrice;
    readonly directory: Pick<Directory, "group">;
    readonly nowMs: number;
  },
): Promise<Rerating> {
  const resolved = resolvePrice(price);
  const sum = { calls: 0, costNanoUsd: 0n, wouldNanoUsd: 0n, unpriced: 0 };
  const period = { fromMs: nowMs - reratedDays * dayMs, toMs: nowMs + 1 };
  for await (const rows of streamRequestLogs(store, { model, ...period })) {
    for (const row of rows) {
      const { atMs, usage, upstreamId, groupId, costNanoUsd = 0n, uncoveredNanoUsd = 0n } = row;
      if (!usage || upstreamId === undefined) continue;
      if (sum.calls === reratedCallsMax) return { ...sum, isCut: true };
      const ratio = directory.group(groupId)?.priceRatio ?? 1;
      const cost = costNanoUsd + uncoveredNanoUsd;
      sum.calls++;
      sum.costNanoUsd += cost;
      sum.wouldNanoUsd += costOf(usage, priceAtHour(resolved, atMs), ratio).nanoUsd;
      if (cost === 0n) sum.unpriced++;
    }
  }
  return { ...sum, isCut: false };
}
