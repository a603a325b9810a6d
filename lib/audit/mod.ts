import { type ArchivePlace, readLog } from "../archive/mod.ts";
import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import { verifyFunds } from "../funds/mod.ts";
import { sweepIsolate } from "../ledger/mod.ts";
import { listApiKeys } from "../store/api_keys/mod.ts";
import { listArchiveParts } from "../store/archive/mod.ts";
import { listIsolates } from "../store/isolates/mod.ts";
import { logKeptFrom, type RequestLogRow } from "../store/log/mod.ts";
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
 *
 * With `place`, reads and checks every file of the archive; throws `ArchiveError` if one is not as
 * it was written. Without it, the calls of archived days count only with their recorded total cost.
 */
export async function auditStore(store: Store, place?: ArchivePlace): Promise<Audit> {
  for (const { id } of await listIsolates(store)) await sweepIsolate(store, id);
  await compactRows(store);
  const unread: UnreadDays = place ? new Map() : await archivedCosts(store);
  const totals = new Map<string, Totals>();
  const charged = new Map<string, bigint>();
  for await (const row of allRows(store, place)) {
    if (row.upstreamId !== undefined) addTo(totals, row);
    const id = chargesByDay(row, unread);
    charged.set(id, (charged.get(id) ?? 0n) + (row.costNanoUsd ?? 0n));
  }
  for (const [day, cost = 0n] of unread) charged.set(day, (charged.get(day) ?? 0n) + cost);
  const differences = [
    ...await verifyFunds(store),
    ...await chargeDifferences(store, charged, unread),
    ...await allowanceDifferences(store),
    ...await verifyLog(store, Date.now(), {
      rowsFrom: (fromMs) => readLog({ store, place }, { fromMs }),
      unreadDays: new Set(unread.keys()),
    }),
  ];
  return { ok: differences.length === 0, ...summed(totals), differences };
}

/**
 * The recorded cost of each archived day; undefined for a day that was being archived, some of
 * whose rows may be in both places.
 */
type UnreadDays = ReadonlyMap<string, bigint | undefined>;

async function archivedCosts(store: Store): Promise<UnreadDays> {
  const costs = new Map<string, bigint | undefined>();
  for (const part of await listArchiveParts(store)) {
    if (part.state === "verified") costs.set(part.day, undefined);
    if (part.state !== "archived") continue;
    const known = costs.has(part.day) ? costs.get(part.day) : 0n;
    costs.set(part.day, known === undefined ? undefined : known + part.costNanoUsd);
  }
  return costs;
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

/**
 * Counts calls and keys and verifies the ledger, the quick part of an audit. Moves waiting rows to
 * the log's pages, where they expire as this store's retention says.
 */
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

/**
 * Compares only days that the log holds completely: rows expire and charges do not. The charges of
 * an unread day are compared in total.
 */
async function chargeDifferences(
  store: Store,
  logged: ReadonlyMap<string, bigint>,
  unread: UnreadDays,
): Promise<string[]> {
  const keptFromMs = await logKeptFrom(store, Date.now());
  const firstDay = keptFromMs === 0 ? "" : chargeDay(keptFromMs + dayMs);
  const left = new Map([...logged].filter(([, amount]) => amount > 0n));
  const differences: string[] = [];
  for (const { id, what, day, nanoUsd } of await chargesOf(store, unread)) {
    const inLog = left.get(id) ?? 0n;
    left.delete(id);
    const isMoving = unread.has(id) && unread.get(id) === undefined;
    if (day < firstDay || inLog === nanoUsd || isMoving) continue;
    differences.push(
      `${what} on ${day}: the ledger charges ${nanoUsd} nano-dollars, the log says ${inLog}`,
    );
  }
  for (const [id, amount] of left) {
    differences.push(`${id}: the log says ${amount} nano-dollars, the ledger charges nothing`);
  }
  return differences;
}

/** Charges to compare, with the id under which the rows are summed. */
interface ComparedCharge {
  readonly id: string;
  /** Names them in a sentence. */
  readonly what: string;
  readonly day: string;
  readonly nanoUsd: bigint;
}

/** Each charge of a key and day, and one sum of each unread day. */
async function chargesOf(
  store: Store,
  unread: UnreadDays,
): Promise<ComparedCharge[]> {
  const charges: ComparedCharge[] = [];
  const sums = new Map([...unread.keys()].map((day) => [day, 0n]));
  for await (const { accountId, keyId, day, nanoUsd } of listCharges(store)) {
    const sum = sums.get(day);
    if (sum !== undefined) sums.set(day, sum + nanoUsd);
    else charges.push({ id: `${accountId} ${keyId} ${day}`, what: `key ${keyId}`, day, nanoUsd });
  }
  const whole = [...sums].map(([day, nanoUsd]) => ({ id: day, what: "all keys", day, nanoUsd }));
  return [...charges, ...whole];
}

const dayMs = 86_400_000;
/** Money, and the requests and tokens of any length: minutes keep no sums. */
const summedIds = /^(?:wallet|budget):|:\d+[mhd]$/;

/** Without leases, the allotted amount of each limit must equal the spent one. */
async function allowanceDifferences(store: Store): Promise<string[]> {
  const differences: string[] = [];
  for (const { id, allotted } of await listAllowances(store)) {
    const spent = await getSpent(store, id);
    if (!summedIds.test(id) || allotted === spent) continue;
    differences.push(
      `allowance ${id}: ${allotted} allotted, ${spent} spent, and nobody holds the rest`,
    );
  }
  return differences;
}

/** Yields every row of the log, newest first. */
export async function* allRows(
  store: Store,
  place?: ArchivePlace,
): AsyncGenerator<RequestLogRow> {
  for await (const rows of readLog({ store, place })) yield* rows;
}

/** The account, key and UTC day to which the ledger charges a row; of an unread day, only the day. */
function chargesByDay(
  { accountId, keyId, atMs }: RequestLogRow,
  unread: UnreadDays,
): string {
  const day = chargeDay(atMs);
  return unread.has(day) ? day : `${accountId} ${keyId} ${day}`;
}
