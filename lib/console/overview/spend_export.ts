import { type CsvCell, csvLine, decimalUsd } from "../../canonical/mod.ts";
import type { Store } from "../../store/mod.ts";
import { tokensIn, tokensOut } from "../calls/usage_summary.ts";
import type { PeriodSpan } from "../page/period.ts";
import type { SpendQuery } from "./spend_query.ts";
import { readWholeSpending, type SpendName, spendNames, type WholeSpendRow } from "./spending.ts";

interface ExportRow extends WholeSpendRow, SpendName {
  readonly span: PeriodSpan;
}

const time = (atMs: number) => new Date(atMs).toISOString();

const columns = {
  from: ({ span }) => time(span.fromMs),
  to: ({ span }) => time(span.toMs),
  id: ({ subject }) => subject.value,
  name: ({ name }) => name,
  owner: ({ keyOwner }) => keyOwner,
  calls: ({ counts }) => counts.requests,
  failed: ({ counts }) => counts.failures,
  input_tokens: ({ counts }) => tokensIn(counts),
  output_tokens: ({ counts }) => tokensOut(counts),
  cost_usd: ({ counts }) => decimalUsd(counts.costNanoUsd),
  cost_usd_before: ({ before }) => decimalUsd(before.costNanoUsd),
} as const satisfies Record<string, (row: ExportRow) => CsvCell>;

/** The number of rows whose names are read at once. */
const pieceRows = 100;

/**
 * The whole breakdown of the overview as CSV in pieces, the highest amount first. Times are ISO 8601
 * in UTC, amounts exact decimal dollars; `cost_usd_before` is that of the period before.
 */
export async function* exportSpending(
  store: Store,
  accountId: string | undefined,
  query: SpendQuery & { readonly nowMs: number },
): AsyncGenerator<string> {
  const cells: readonly ((row: ExportRow) => CsvCell)[] = Object.values(columns);
  yield csvLine(Object.keys(columns));
  const { span, rows } = await readWholeSpending(store, accountId, query);
  for (let start = 0; start < rows.length; start += pieceRows) {
    const some = rows.slice(start, start + pieceRows);
    const names = await spendNames(store, { rows: some }, query);
    yield some.map((row, at) => {
      const whole = { ...row, ...names[at], span };
      return csvLine(cells.map((cell) => cell(whole)));
    }).join("");
  }
}
