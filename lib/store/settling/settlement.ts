import { isolateCheck, type IsolateEntry } from "../isolates/isolate.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";
import { stepOf } from "../log/log_time.ts";
import type { PackedRow } from "../log/request_log_pack.ts";
import type { RequestLogRow } from "../log/request_log_row.ts";
import { addSpent, setLease } from "../money/allowance.ts";
import { addOverruns, type Overrun } from "../money/token_debt.ts";
import { addWaitingRows } from "./waiting_rows.ts";

/** The calls that ended together, and the charges that one commit makes durable. */
export interface Settlement {
  /** Unique and increasing in its isolate; makes the commit idempotent. */
  readonly sequence: string;
  readonly rows: readonly PackedRow[];
  /** The amount used of each allowance that records usage. */
  readonly spent: ReadonlyMap<string, bigint>;
  /** The amount that the isolate still holds of each allowance it spent from. */
  readonly held: ReadonlyMap<string, bigint>;
  readonly charges: readonly Charge[];
  /** Tokens that limits per minute could not pay. */
  readonly overruns: readonly Overrun[];
  /** The rows of the calls, and the claims of those with an idempotency key. */
  readonly ended: readonly {
    readonly row: RequestLogRow;
    readonly claim?: { end(operation: AtomicOperation, row: RequestLogRow): void } | undefined;
  }[];
}

/** The amount that an account's wallet paid for the calls of one key. */
export interface Charge {
  readonly accountId: string;
  readonly keyId: string;
  /** UTC, such as `2026-11-21`. */
  readonly day: string;
  readonly nanoUsd: bigint;
  /** The upstream costs that rows of their own state. */
  readonly upstreamNanoUsd: bigint;
}

/** The day to which a call with this start time is charged. */
export function chargeDay(atMs: number): string {
  return stepOf(atMs, "day");
}

/**
 * Stores a settlement; a retry after a failure stores it only once. `swept`: a sweeper took the
 * isolate for dead.
 */
export async function commitSettlement(
  store: Store,
  isolate: IsolateEntry,
  settlement: Settlement,
): Promise<"stored" | "swept"> {
  const rowsKey = keys.waitingRows(isolate.id, settlement.sequence);
  const operation = store.kv.atomic()
    .check(isolateCheck(isolate), { key: rowsKey, versionstamp: null });
  const place = { isolateId: isolate.id, sequence: settlement.sequence };
  const waiting = addWaitingRows(operation, place, settlement.rows);
  for (const [allowanceId, amount] of settlement.spent) addSpent(operation, allowanceId, amount);
  for (const [allowanceId, held] of settlement.held) {
    setLease(operation, isolate.id, allowanceId, held);
  }
  for (const charge of settlement.charges) addCharge(operation, charge);
  addOverruns(operation, `${isolate.id}:${settlement.sequence}`, settlement.overruns);
  for (const { claim, row } of settlement.ended) claim?.end(operation, row);
  const result = await operation.commit();
  if (result.ok) {
    for (const { key, rows } of waiting) store.recentRows.note(key, result.versionstamp, rows);
    return "stored";
  }
  const { versionstamp } = await store.kv.get(keys.isolate(isolate.id));
  return versionstamp === isolate.versionstamp ? "stored" : "swept"; // otherwise an earlier attempt stored it
}

/** Adds to an account's usage entry of the day, and to what its calls cost the operator. */
export function addCharge(
  operation: AtomicOperation,
  { accountId, keyId, day, nanoUsd, upstreamNanoUsd }: Charge,
): void {
  if (nanoUsd > 0n) operation.sum(keys.ledgerUsage(accountId, day, keyId), nanoUsd);
  if (upstreamNanoUsd > 0n) operation.sum(keys.ledgerCost(accountId, day, keyId), upstreamNanoUsd);
}

/** The two sums of the ledger: what accounts paid, and what upstreams cost where rows state it. */
const ledgerSums = { charged: keys.ledgerUsages, upstream: keys.ledgerCosts } as const;

/** An amount that the ledger has for a key and a day. */
type Booked = Pick<Charge, "accountId" | "keyId" | "day" | "nanoUsd">;

/** Every amount of one of the ledger's sums. */
export async function* listBooked(
  store: Store,
  sum: keyof typeof ledgerSums,
): AsyncGenerator<Booked> {
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix: ledgerSums[sum] })) {
    const [, accountId, day, keyId] = key.map(String);
    yield { accountId, day, keyId, nanoUsd: value.value };
  }
}
