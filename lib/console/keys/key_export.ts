import { rollingText, windowsText } from "../../admin/bounds.ts";
import { shownSecret } from "../../admin/keys/key_status.ts";
import { type CsvCell, decimalUsd } from "../../canonical/mod.ts";
import type { Store } from "../../store/mod.ts";
import { completed, csvBudget, csvOf, csvTime } from "../page/download.ts";
import { keyListDays, type KeyListRow, withCounts } from "./key_list.ts";

const columns = {
  id: ({ apiKey }) => apiKey.id,
  name: ({ apiKey }) => apiKey.name,
  secret_hint: ({ apiKey }) => shownSecret(apiKey),
  account_id: ({ apiKey }) => apiKey.accountId,
  owner: ({ owner }) => owner,
  group: ({ apiKey }) => apiKey.groupId,
  status: ({ statuses: [status] }) => status,
  created: ({ apiKey }) => csvTime(apiKey.createdAtMs),
  expires: ({ apiKey }) => csvTime(apiKey.expiresAtMs),
  last_used: ({ apiKey }) => csvTime(apiKey.lastUsedAtMs),
  [`calls_${keyListDays}d`]: ({ counts }) => counts?.requests,
  [`failed_${keyListDays}d`]: ({ counts }) => counts?.failures,
  [`cost_usd_${keyListDays}d`]: ({ counts }) => counts && decimalUsd(counts.costNanoUsd),
  budget_day_usd: ({ apiKey }) => csvBudget(apiKey.budgets, "day"),
  budget_week_usd: ({ apiKey }) => csvBudget(apiKey.budgets, "week"),
  budget_month_usd: ({ apiKey }) => csvBudget(apiKey.budgets, "month"),
  budget_total_usd: ({ apiKey }) => csvBudget(apiKey.budgets, "total"),
  budgets_rolling_usd: ({ apiKey }) => rollingText(apiKey.budgets ?? []) || undefined,
  requests_per_minute: ({ apiKey }) => apiKey.limits?.requestsPerMinute,
  tokens_per_minute: ({ apiKey }) => apiKey.limits?.tokensPerMinute,
  requests_per_window: ({ apiKey }) => windowsText(apiKey.limits?.requestsPerWindow) || undefined,
  tokens_per_window: ({ apiKey }) => windowsText(apiKey.limits?.tokensPerWindow) || undefined,
  concurrency: ({ apiKey }) => apiKey.limits?.concurrency,
  models: ({ apiKey }) => apiKey.models?.join(" "),
  ip_allow_list: ({ apiKey }) => apiKey.ipAllowList?.join(" "),
} as const satisfies Record<string, (row: KeyListRow) => CsvCell>;

/** The number of keys whose sums are read at once. */
const pieceRows = 100;

/**
 * Keys as CSV in pieces. Times are ISO 8601 in UTC, amounts exact decimal dollars; sums cover the
 * days of the list.
 */
export function exportKeys(
  store: Store,
  rows: readonly KeyListRow[],
  nowMs: number,
): AsyncGenerator<string> {
  return csvOf(columns, completed(rows, pieceRows, (some) => withCounts(store, some, nowMs)));
}
