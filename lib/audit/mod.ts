import { type ArchivePlace, readLog } from "../archive/mod.ts";
import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import { verifyFunds } from "../funds/mod.ts";
import { sweepIsolate } from "../ledger/mod.ts";
import { listApiKeys } from "../store/api_keys/mod.ts";
import { listArchiveParts } from "../store/archive/mod.ts";
import { listIsolates } from "../store/isolates/mod.ts";
import { logKeptFrom, type RequestLogRow, upstreamNanoUsdOf } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { getSpent, listAllowances } from "../store/money/mod.ts";
import { chargeDay, compactRows, listBooked, verifyLog } from "../store/settling/mod.ts";

/**
 * The result of an audit. Amounts are nano-dollars in decimal text: JSON has no integers of that
 * size.
 */
interface Audit {
  readonly ok: boolean;
  /** Settled calls that reached an upstream. */
  readonly calls: number;
  readonly costNanoUsd: string;
  readonly upstreamNanoUsd: string;
  readonly keys: Readonly<Record<string, KeyAudit>>;
  /** One sentence per difference. */
  readonly differences: readonly string[];
}

/** The totals of a key's calls. Money is nano-dollars in decimal text. */
interface KeyAudit {
  readonly calls: number;
  readonly costNanoUsd: string;
  /** The cost of the calls for the operator. */
  readonly upstreamNanoUsd: string;
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
  const unread: UnreadDays = place ? new Map() : await archivedSums(store);
  const totals = new Map<string, Totals>();
  const logged = new Map<string, LogSums>();
  for await (const row of allRows(store, place)) {
    if (row.upstreamId !== undefined) addTo(totals, row);
    addSums(logged, chargesByDay(row, unread), sumsOf(row));
  }
  for (const [day, sums] of unread) if (sums) addSums(logged, day, sums);
  const differences = [
    ...await verifyFunds(store),
    ...await chargeDifferences(store, "charged", { logged, unread }),
    ...await chargeDifferences(store, "upstream", { logged, unread }),
    ...await allowanceDifferences(store),
    ...await verifyLog(store, Date.now(), {
      rowsFrom: (fromMs) => readLog({ store, place }, { fromMs }),
      unreadDays: new Set(unread.keys()),
    }),
  ];
  return { ok: differences.length === 0, ...summed(totals), differences };
}

/** The ledger's two sums, according to rows. */
type LogSums = Record<LedgerSum, bigint>;

function sumsOf(
  { costNanoUsd = 0n, upstreamCost }: Pick<RequestLogRow, "costNanoUsd" | "upstreamCost">,
): LogSums {
  return { charged: costNanoUsd, upstream: upstreamCost?.nanoUsd ?? 0n };
}

function addSums(logged: Map<string, LogSums>, id: string, sums: LogSums): void {
  const known = logged.getOrInsert(id, { charged: 0n, upstream: 0n });
  known.charged += sums.charged;
  known.upstream += sums.upstream;
}

/**
 * The recorded sums of each archived day; undefined for a day that was being archived, some of
 * whose rows may be in both places.
 */
type UnreadDays = ReadonlyMap<string, LogSums | undefined>;

async function archivedSums(store: Store): Promise<UnreadDays> {
  const days = new Map<string, LogSums>();
  const parts = await listArchiveParts(store);
  for (const { day, costNanoUsd, upstreamNanoUsd = 0n } of parts) {
    addSums(days, day, { charged: costNanoUsd, upstream: upstreamNanoUsd });
  }
  const moving = new Set(parts.filter(({ state }) => state === "verified").map(({ day }) => day));
  return new Map([...days].map(([day, sums]) => [day, moving.has(day) ? undefined : sums]));
}

interface Totals {
  calls: number;
  costNanoUsd: bigint;
  upstreamNanoUsd: bigint;
  inputTokens: number;
  outputTokens: number;
}

function addTo(totals: Map<string, Totals>, row: RequestLogRow): void {
  const { keyName, usage, costNanoUsd = 0n } = row;
  const none = { calls: 0, costNanoUsd: 0n, upstreamNanoUsd: 0n, inputTokens: 0, outputTokens: 0 };
  const sum = totals.getOrInsert(keyName, none);
  sum.calls++;
  sum.costNanoUsd += costNanoUsd;
  sum.upstreamNanoUsd += upstreamNanoUsdOf(row);
  sum.inputTokens += usage ? totalInputTokens(usage) : 0;
  sum.outputTokens += usage ? totalOutputTokens(usage) : 0;
}

function summed(
  totals: ReadonlyMap<string, Totals>,
): Pick<Audit, "calls" | "costNanoUsd" | "upstreamNanoUsd" | "keys"> {
  const sums = [...totals.values()];
  return {
    calls: sums.reduce((sum, { calls }) => sum + calls, 0),
    ...textsOf({
      costNanoUsd: sums.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n),
      upstreamNanoUsd: sums.reduce((sum, { upstreamNanoUsd }) => sum + upstreamNanoUsd, 0n),
    }),
    keys: Object.fromEntries(
      [...totals].map(([name, sum]) => [name, { ...sum, ...textsOf(sum) }]),
    ),
  };
}

function textsOf(
  { costNanoUsd, upstreamNanoUsd }: Pick<Totals, "costNanoUsd" | "upstreamNanoUsd">,
) {
  return { costNanoUsd: String(costNanoUsd), upstreamNanoUsd: String(upstreamNanoUsd) };
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
  sum: LedgerSum,
  { logged, unread }: {
    readonly logged: ReadonlyMap<string, LogSums>;
    readonly unread: UnreadDays;
  },
): Promise<string[]> {
  const verb = verbs[sum];
  const keptFromMs = await logKeptFrom(store, Date.now());
  const firstDay = keptFromMs === 0 ? "" : chargeDay(keptFromMs + dayMs);
  const left = new Map(
    [...logged].map(([id, sums]) => [id, sums[sum]] as const).filter(([, amount]) => amount > 0n),
  );
  const differences: string[] = [];
  for (const { id, what, day, nanoUsd } of await chargesOf(store, sum, unread)) {
    const inLog = left.get(id) ?? 0n;
    left.delete(id);
    const isMoving = unread.has(id) && unread.get(id) === undefined;
    if (day < firstDay || inLog === nanoUsd || isMoving) continue;
    differences.push(
      `${what} on ${day}: the ledger ${verb} ${nanoUsd} nano-dollars, the log says ${inLog}`,
    );
  }
  for (const [id, amount] of left) {
    differences.push(`${id}: the log says ${amount} nano-dollars, the ledger ${verb} nothing`);
  }
  return differences;
}

type LedgerSum = Parameters<typeof listBooked>[1];

const verbs = { charged: "charges", upstream: "pays upstreams" } as const satisfies Record<
  LedgerSum,
  string
>;

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
  sum: LedgerSum,
  unread: UnreadDays,
): Promise<ComparedCharge[]> {
  const charges: ComparedCharge[] = [];
  const sums = new Map([...unread.keys()].map((day) => [day, 0n]));
  for await (const { accountId, keyId, day, nanoUsd } of listBooked(store, sum)) {
    const known = sums.get(day);
    if (known !== undefined) sums.set(day, known + nanoUsd);
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
