import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import { verifyFunds } from "../funds/mod.ts";
import { sweepIsolate } from "../ledger/mod.ts";
import { listApiKeys } from "../store/api_keys/mod.ts";
import { listIsolates } from "../store/isolates/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { getSpent, listAllowances } from "../store/money/mod.ts";
import { chargeDay, compactRows, listCharges, verifyLog } from "../store/settling/mod.ts";

/**
 * The result of an audit. Amounts are nano-dollars in decimal text: JSON has no integers of that
 * size.
 */
interface Audit {
  readonly ok: boolean;
  /** Settled calls that reached an upstream. */
  readonly calls: number;
  readonly costNanoUsd: string;
  readonly keys: Readonly<Record<string, KeyAudit>>;
  /** One sentence per difference. */
  readonly differences: readonly string[];
}

/** The totals of a key's calls. Money is nano-dollars in decimal text. */
interface KeyAudit {
  readonly calls: number;
  readonly costNanoUsd: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Sweeps dead isolates, then verifies that log, ledger and rollups agree, on a store that no
 * process serves from: entries sum to balances, the log's rows to the charges by day and key, rows
 * to rollups, indexes match rows, and allotted amounts equal spent ones.
 */
export async function auditStore(store: Store): Promise<Audit> {
  for (const { id } of await listIsolates(store)) await sweepIsolate(store, id);
  await compactRows(store);
  const totals = new Map<string, Totals>();
  const charged = new Map<string, bigint>();
  for await (const row of allRows(store)) {
    if (row.upstreamId !== undefined) addTo(totals, row);
    const id = chargesByDay(row);
    charged.set(id, (charged.get(id) ?? 0n) + (row.costNanoUsd ?? 0n));
  }
  const differences = [
    ...await verifyFunds(store),
    ...await chargeDifferences(store, charged),
    ...await allowanceDifferences(store),
    ...await verifyLog(store, Date.now()),
  ];
  return { ok: differences.length === 0, ...summed(totals), differences };
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

function summed(
  totals: ReadonlyMap<string, Totals>,
): Pick<Audit, "calls" | "costNanoUsd" | "keys"> {
  const sums = [...totals.values()];
  return {
    calls: sums.reduce((sum, { calls }) => sum + calls, 0),
    costNanoUsd: String(sums.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n)),
    keys: Object.fromEntries(
      [...totals].map(([name, sum]) => [name, { ...sum, costNanoUsd: String(sum.costNanoUsd) }]),
    ),
  };
}

/** The contents of a store in short. */
interface StoreSummary {
  readonly calls: number;
  /** Absent if the log is empty. */
  readonly newestAtMs?: number;
  readonly keys: number;
  /** A sentence for each fault of the ledger. */
  readonly differences: readonly string[];
}

/** Counts calls and keys and verifies the ledger, the quick part of an audit. Changes nothing. */
export async function summaryOf(store: Store): Promise<StoreSummary> {
  let calls = 0;
  let newestAtMs: number | undefined;
  for await (const { atMs } of allRows(store)) {
    newestAtMs ??= atMs;
    calls++;
  }
  const { length: keys } = await listApiKeys(store);
  const differences = await verifyFunds(store);
  return { calls, keys, differences, ...(newestAtMs !== undefined && { newestAtMs }) };
}

/** Compares only days that the log holds completely: rows expire and charges do not. */
async function chargeDifferences(
  store: Store,
  logged: ReadonlyMap<string, bigint>,
): Promise<string[]> {
  const firstDay = chargeDay(Date.now() - store.logRetentionMs + dayMs);
  const left = new Map([...logged].filter(([, amount]) => amount > 0n));
  const differences: string[] = [];
  for await (const charge of listCharges(store)) {
    const id = `${charge.accountId} ${charge.keyId} ${charge.day}`;
    const inLog = left.get(id) ?? 0n;
    left.delete(id);
    if (charge.day < firstDay || inLog === charge.nanoUsd) continue;
    differences.push(
      `key ${charge.keyId} on ${charge.day}: the ledger charges ${charge.nanoUsd} nano-dollars, the log says ${inLog}`,
    );
  }
  for (const [id, amount] of left) {
    differences.push(`${id}: the log says ${amount} nano-dollars, the ledger charges nothing`);
  }
  return differences;
}

const dayMs = 86_400_000;
const moneyIds = /^(wallet|budget):/;

/** Without leases, the allotted amount of each limit must equal the spent one. */
async function allowanceDifferences(store: Store): Promise<string[]> {
  const differences: string[] = [];
  for (const { id, allotted } of await listAllowances(store)) {
    const spent = await getSpent(store, id);
    if (!moneyIds.test(id) || allotted === spent) continue;
    differences.push(
      `allowance ${id}: ${allotted} allotted, ${spent} spent, and nobody holds the rest`,
    );
  }
  return differences;
}

const pageRows = 500;

/** Yields every row of the log, newest first. */
export async function* allRows(store: Store): AsyncGenerator<RequestLogRow> {
  let before: string | undefined;
  do {
    const page = await listRequestLogs(store, { limit: pageRows, ...(before && { before }) });
    yield* page.rows;
    before = page.next;
  } while (before);
}

/** The account, key and UTC day to which the ledger charges a row. */
function chargesByDay({ accountId, keyId, atMs }: RequestLogRow): string {
  return `${accountId} ${keyId} ${chargeDay(atMs)}`;
}
