import { shownSecret } from "../../admin/keys/key_status.ts";
import { type CsvCell, csvLine, decimalUsd } from "../../canonical/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { BudgetPeriod } from "../../store/money/mod.ts";
import { keyListDays, type KeyListRow, withCounts } from "./key_list.ts";

const budget = (period: BudgetPeriod) => ({ apiKey: { budgets = [] } }: KeyListRow) => {
  const found = budgets.find((one) => one.period === period);
  return found && decimalUsd(found.nanoUsd);
};
const time = (atMs: number | undefined) =>
  atMs === undefined ? undefined : new Date(atMs).toISOString();

const columns = {
  id: ({ apiKey }) => apiKey.id,
  name: ({ apiKey }) => apiKey.name,
  secret_hint: ({ apiKey }) => shownSecret(apiKey),
  account_id: ({ apiKey }) => apiKey.accountId,
  owner: ({ owner }) => owner,
  group: ({ apiKey }) => apiKey.groupId,
  status: ({ statuses: [status] }) => status,
  created: ({ apiKey }) => time(apiKey.createdAtMs),
  expires: ({ apiKey }) => time(apiKey.expiresAtMs),
  last_used: ({ apiKey }) => time(apiKey.lastUsedAtMs),
  [`calls_${keyListDays}d`]: ({ counts }) => counts?.requests,
  [`failed_${keyListDays}d`]: ({ counts }) => counts?.failures,
  [`cost_usd_${keyListDays}d`]: ({ counts }) => counts && decimalUsd(counts.costNanoUsd),
  budget_day_usd: budget("day"),
  budget_week_usd: budget("week"),
  budget_month_usd: budget("month"),
  budget_total_usd: budget("total"),
  requests_per_minute: ({ apiKey }) => apiKey.limits?.requestsPerMinute,
  tokens_per_minute: ({ apiKey }) => apiKey.limits?.tokensPerMinute,
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
export async function* exportKeys(
  store: Store,
  rows: readonly KeyListRow[],
  nowMs: number,
): AsyncGenerator<string> {
  const cells: readonly ((row: KeyListRow) => CsvCell)[] = Object.values(columns);
  yield csvLine(Object.keys(columns));
  for (let start = 0; start < rows.length; start += pieceRows) {
    const some = await withCounts(store, rows.slice(start, start + pieceRows), nowMs);
    yield some.map((row) => csvLine(cells.map((cell) => cell(row)))).join("");
  }
}
