import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import { listRequestLogs, listUsers, type RequestLogRow, type Store } from "../store/mod.ts";

/** What an audit found. Amounts are nano-dollars in decimal text, since JSON has no integers of that size. */
export interface Audit {
  readonly ok: boolean;
  /** Settled calls that reached an upstream. */
  readonly calls: number;
  readonly costNanoUsd: string;
  readonly keys: Readonly<Record<string, KeyAudit>>;
  readonly differences: readonly string[];
}

export interface KeyAudit {
  readonly calls: number;
  readonly costNanoUsd: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const pageRows = 500;

/** Adds up the log of a store that nobody serves from, and proves that its two orders hold the same rows. */
export async function auditStore(store: Store): Promise<Audit> {
  const totals = new Map<string, Totals>();
  const byAccount = new Map<string, number>();
  for await (const row of allRows(store)) {
    byAccount.set(row.accountId, (byAccount.get(row.accountId) ?? 0) + 1);
    if (row.upstreamId !== undefined) addTo(totals, row);
  }
  const differences = await accountDifferences(store, byAccount);
  const sums = [...totals.values()];
  return {
    ok: differences.length === 0,
    calls: sums.reduce((sum, { calls }) => sum + calls, 0),
    costNanoUsd: String(sums.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n)),
    keys: Object.fromEntries(
      [...totals].map(([name, sum]) => [name, { ...sum, costNanoUsd: String(sum.costNanoUsd) }]),
    ),
    differences,
  };
}

interface Totals {
  calls: number;
  costNanoUsd: bigint;
  inputTokens: number;
  outputTokens: number;
}

function addTo(totals: Map<string, Totals>, { keyName, usage, costNanoUsd }: RequestLogRow): void {
  const sum = totals.get(keyName) ?? { calls: 0, costNanoUsd: 0n, inputTokens: 0, outputTokens: 0 };
  totals.set(keyName, sum);
  sum.calls++;
  sum.costNanoUsd += costNanoUsd ?? 0n;
  sum.inputTokens += usage ? totalInputTokens(usage) : 0;
  sum.outputTokens += usage ? totalOutputTokens(usage) : 0;
}

async function* allRows(store: Store, accountId?: string): AsyncGenerator<RequestLogRow> {
  let before: string | undefined;
  do {
    const page = await listRequestLogs(store, {
      limit: pageRows,
      ...(before && { before }),
      ...(accountId && { accountId }),
    });
    yield* page.rows;
    before = page.next;
  } while (before);
}

async function accountDifferences(
  store: Store,
  counted: ReadonlyMap<string, number>,
): Promise<string[]> {
  const accounts = new Set([...counted.keys(), ...(await listUsers(store)).map(({ id }) => id)]);
  const differences: string[] = [];
  for (const accountId of accounts) {
    let listed = 0;
    for await (const _ of allRows(store, accountId)) listed++;
    const expected = counted.get(accountId) ?? 0;
    if (listed !== expected) {
      differences.push(
        `account ${accountId}: ${expected} rows in the log, ${listed} under the account`,
      );
    }
  }
  return differences;
}
