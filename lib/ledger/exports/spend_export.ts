import { totalInputTokens, totalOutputTokens } from "../../canonical/mod.ts";
import type { RequestLogRow } from "../../store/log/mod.ts";

/** The totals of one key's calls to one model on one day. */
export interface SpendOfDay {
  /** A UTC day, such as `2026-11-21`. */
  readonly day: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costNanoUsd: bigint;
}

/**
 * The totals of calls, which come newest first, by day, key and model: newest day first, highest
 * cost first within a day. Holds only one day in memory at a time.
 */
export async function* spendByDay(
  calls: AsyncIterable<readonly RequestLogRow[]>,
): AsyncGenerator<readonly SpendOfDay[]> {
  let day = "";
  let sums = new Map<string, SpendOfDay>();
  for await (const rows of calls) {
    for (const row of rows) {
      const own = new Date(row.atMs).toISOString().slice(0, 10);
      if (own !== day && sums.size > 0) {
        yield dearestFirst(sums);
        sums = new Map();
      }
      day = own;
      add(sums, row, day);
    }
  }
  if (sums.size > 0) yield dearestFirst(sums);
}

function add(sums: Map<string, SpendOfDay>, row: RequestLogRow, day: string): void {
  const { accountId, keyId, keyName, model, usage, costNanoUsd = 0n } = row;
  const name = `${accountId}\0${keyId}\0${model}`;
  const known = sums.get(name) ??
    { day, accountId, keyId, keyName, model, ...nothing };
  sums.set(name, {
    ...known,
    calls: known.calls + 1,
    inputTokens: known.inputTokens + (usage ? totalInputTokens(usage) : 0),
    outputTokens: known.outputTokens + (usage ? totalOutputTokens(usage) : 0),
    costNanoUsd: known.costNanoUsd + costNanoUsd,
  });
}

const nothing = { calls: 0, inputTokens: 0, outputTokens: 0, costNanoUsd: 0n };

function dearestFirst(sums: ReadonlyMap<string, SpendOfDay>): SpendOfDay[] {
  return [...sums.values()].sort((a, b) =>
    a.costNanoUsd === b.costNanoUsd
      ? a.calls === b.calls ? 0 : b.calls - a.calls
      : a.costNanoUsd < b.costNanoUsd
      ? 1
      : -1
  );
}
