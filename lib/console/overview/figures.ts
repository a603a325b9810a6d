import { usageSeries } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { Counts, RollupSubject } from "../../store/usage/mod.ts";
import type { Formats } from "../page/format.ts";

/** The share of calls that did not fail; undefined without calls. */
export function successOf(
  { requests, failures }: Counts,
  formats: Pick<Formats, "percent">,
): string | undefined {
  return requests === 0 ? undefined : formats.percent((requests - failures) / requests);
}

/** The change between two periods, such as `+8%`; undefined if there was nothing before. */
export function changeInPercent(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const percent = Math.round(100 * (now - before) / before);
  return percent < 0 ? `−${-percent}%` : `+${percent}%`;
}

/** The expected spend of the calendar month, in UTC. */
export interface Forecast {
  readonly monthMs: number;
  readonly soFarNanoUsd: bigint;
  readonly expectedNanoUsd: bigint;
}

const dayMs = 86_400_000;
const meanDays = 14;

/**
 * The spend of the month so far, and the mean of the last 14 whole days for the rest of it. Days
 * before the first call do not count.
 */
export async function readForecast(
  store: Store,
  subject: RollupSubject,
  nowMs: number,
): Promise<Forecast> {
  const now = new Date(nowMs);
  const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const fromMs = Math.min(monthMs, todayMs - meanDays * dayMs);
  const days = await usageSeries(store, subject, { step: "day", fromMs, toMs: todayMs + dayMs });
  const past = days.filter(({ atMs }) => atMs >= todayMs - meanDays * dayMs && atMs < todayMs);
  const since = past.findIndex(({ counts }) => counts.requests > 0);
  const counted = since === -1 ? [] : past.slice(since);
  const soFarNanoUsd = sumOf(days.filter(({ atMs }) => atMs >= monthMs));
  const leftMs = BigInt(endMs - nowMs);
  const mean = counted.length === 0 ? 0n : sumOf(counted) / BigInt(counted.length);
  return {
    monthMs,
    soFarNanoUsd,
    expectedNanoUsd: soFarNanoUsd + mean * leftMs / BigInt(dayMs),
  };
}

function sumOf(days: readonly { readonly counts: { readonly costNanoUsd: bigint } }[]): bigint {
  return days.reduce((sum, { counts }) => sum + counts.costNanoUsd, 0n);
}
