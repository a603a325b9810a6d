import { type CsvCell, csvLine, decimalUsd } from "../../canonical/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { BudgetPeriod } from "../../store/money/mod.ts";
import { type SeenUserRow, seenUserRow, spentDays, type UserRow } from "./user_list.ts";

const budget = (period: BudgetPeriod) => ({ user: { budgets = [] } }: SeenUserRow) => {
  const found = budgets.find((one) => one.period === period);
  return found && decimalUsd(found.nanoUsd);
};
const time = (atMs: number | undefined) =>
  atMs === undefined ? undefined : new Date(atMs).toISOString();

const columns = {
  id: ({ user }) => user.id,
  email: ({ user }) => user.email,
  role: ({ user }) => user.role,
  enabled: ({ user }) => user.enabled,
  spending: ({ user }) => user.spending,
  project: ({ user }) => user.projectId,
  created: ({ user }) => time(user.createdAtMs),
  last_seen: ({ lastSeenAtMs }) => time(lastSeenAtMs),
  last_call: ({ lastCallAtMs }) => time(lastCallAtMs),
  sessions: ({ sessions }) => sessions,
  one_time_codes: ({ hasCode }) => hasCode,
  passkeys: ({ passkeys }) => passkeys,
  keys: ({ keys }) => keys,
  groups: ({ groupIds }) => groupIds.join(" "),
  balance_usd: ({ balanceNanoUsd }) => decimalUsd(balanceNanoUsd),
  [`calls_${spentDays}d`]: ({ calls }) => calls,
  [`cost_usd_${spentDays}d`]: ({ spentNanoUsd }) => decimalUsd(spentNanoUsd),
  budget_day_usd: budget("day"),
  budget_week_usd: budget("week"),
  budget_month_usd: budget("month"),
  budget_total_usd: budget("total"),
  requests_per_minute: ({ user }) => user.limits?.requestsPerMinute,
  tokens_per_minute: ({ user }) => user.limits?.tokensPerMinute,
  concurrency: ({ user }) => user.limits?.concurrency,
} as const satisfies Record<string, (row: SeenUserRow) => CsvCell>;

/** The number of users whose figures are read at once. */
const pieceRows = 50;

/** Users as CSV in pieces. Times are ISO 8601 in UTC, amounts exact decimal dollars. */
export async function* exportUsers(
  store: Store,
  rows: readonly UserRow[],
  nowMs: number,
): AsyncGenerator<string> {
  const cells: readonly ((row: SeenUserRow) => CsvCell)[] = Object.values(columns);
  yield csvLine(Object.keys(columns));
  for (let start = 0; start < rows.length; start += pieceRows) {
    const some = rows.slice(start, start + pieceRows);
    const full = await Promise.all(some.map((row) => seenUserRow(store, row, nowMs)));
    yield full.map((row) => csvLine(cells.map((cell) => cell(row)))).join("");
  }
}
