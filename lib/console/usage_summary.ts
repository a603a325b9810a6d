import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import { usageTotals } from "../ledger/mod.ts";
import {
  type Counts,
  type LogFilter,
  percentile,
  type RollupSubject,
  type Store,
  subjects,
} from "../store/mod.ts";

/** What calls came to. */
export interface UsageSummary {
  readonly counts: Counts;
  /** Half of the calls took no longer, in milliseconds; absent where none took time. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

const endMs = Date.UTC(9_999, 0);

/**
 * What an account's calls came to, of all, of one key or of one model: sums are kept by these.
 * Undefined for what else a filter means.
 */
export async function usageSummary(
  store: Store,
  accountId: string,
  { fromMs = 0, toMs = endMs, ...filter }: LogFilter,
): Promise<UsageSummary | undefined> {
  const subject = subjectOf(accountId, filter);
  if (subject === undefined) return undefined;
  const { counts, times } = await usageTotals(store, subject, { fromMs, toMs });
  return {
    counts,
    p50Ms: percentile(times.duration, 0.5),
    p95Ms: percentile(times.duration, 0.95),
  };
}

/** All tokens that went in. */
export function tokensIn(counts: Counts): number {
  return totalInputTokens(counts);
}

/** All tokens that came out. */
export function tokensOut(counts: Counts): number {
  return totalOutputTokens(counts);
}

function subjectOf(
  accountId: string,
  { keyId, model, ...others }: Omit<LogFilter, "fromMs" | "toMs">,
): RollupSubject | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  if (keyId !== undefined && model !== undefined) return undefined;
  if (keyId !== undefined) return subjects.key(keyId, accountId);
  if (model !== undefined) return subjects.model(model, accountId);
  return subjects.account(accountId);
}
