import {
  type CsvCell,
  decimalUsd,
  totalInputTokens,
  totalOutputTokens,
} from "../../canonical/mod.ts";
import type { Store } from "../../store/mod.ts";
import { marginOf } from "../../store/usage/mod.ts";
import { completed, csvOf, csvTime } from "../page/download.ts";
import type { SpendQuery } from "./spend_query.ts";
import { type SpendName, spendNames } from "./spend_names.ts";
import { readWholeSpending, type WholeSpendRow } from "./spending.ts";

type ExportRow = WholeSpendRow & SpendName;

const columns = {
  from: ({ span }) => csvTime(span.fromMs),
  to: ({ span }) => csvTime(span.toMs),
  id: ({ subject }) => subject?.value,
  name: ({ name }) => name,
  owner: ({ keyOwner }) => keyOwner,
  calls: ({ counts }) => counts.requests,
  failed: ({ counts }) => counts.failures,
  input_tokens: ({ counts }) => totalInputTokens(counts),
  output_tokens: ({ counts }) => totalOutputTokens(counts),
  cost_usd: ({ counts }) => decimalUsd(counts.costNanoUsd),
  cost_usd_before: ({ before }) => decimalUsd(before.costNanoUsd),
} as const satisfies Record<string, (row: ExportRow) => CsvCell>;

const operatorColumns = {
  ...columns,
  upstream_cost_usd: ({ counts }) => decimalUsd(marginOf(counts).upstreamNanoUsd),
  margin_usd: ({ counts }) => decimalUsd(marginOf(counts).marginNanoUsd),
} as const satisfies Record<string, (row: ExportRow) => CsvCell>;

/** The number of rows whose names are read at once. */
const pieceRows = 100;

interface ExportQuery extends SpendQuery {
  readonly nowMs: number;
  /** True to add upstream costs and margins. */
  readonly isOperator: boolean;
  /** The name of the row of the calls without a subject. */
  readonly withoutName: string;
}

/**
 * The whole breakdown of the overview as CSV in pieces, the highest amount first, at last the calls
 * without a subject: the rows add up to all calls. Times are ISO 8601 in UTC, amounts exact decimal
 * dollars; `cost_usd_before` is that of the period before.
 */
export function exportSpending(
  store: Store,
  accountId: string | undefined,
  query: ExportQuery,
): AsyncGenerator<string> {
  const rows = namedRows(store, accountId, query);
  return query.isOperator ? csvOf(operatorColumns, rows) : csvOf(columns, rows);
}

async function* namedRows(
  ...[store, accountId, query]: Parameters<typeof exportSpending>
): AsyncGenerator<readonly ExportRow[]> {
  const rows = await readWholeSpending(store, accountId, query);
  yield* completed(rows, pieceRows, async (some) => {
    const subjects = some.flatMap(({ subject }) => subject ? [subject] : []);
    const names = await spendNames(store, subjects, query);
    const nameOf = (at: number) => names[at] ?? { name: query.withoutName }; // the last row
    return some.map((row, at) => ({ ...row, ...nameOf(at) }));
  });
}
