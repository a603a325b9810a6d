import type { InFlight, InFlightChunk } from "../isolates/isolate.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";
import { packRow } from "../log/request_log_pack.ts";
import { addSpent, getLeases, type LeaseRecord, setLease } from "../money/allowance.ts";
import { addCharge, chargeDay } from "./settlement.ts";
import { addWaitingRows } from "./waiting_rows.ts";

/** The settlement of the last call in flight of a chunk. */
interface Recovered {
  readonly chunk: InFlightChunk;
  readonly isolateId: string;
  /** True if its row is in the log already, or is still being written: only its mark is deleted. */
  readonly known: boolean;
}

/**
 * Settles the last call of a dead isolate's chunk and removes its mark in one commit, so exactly
 * once. Concurrent sweepers exclude each other by the isolate's record. Returns false if another
 * one was faster: read again.
 */
export async function settleInFlight(store: Store, recovered: Recovered): Promise<boolean> {
  const { chunk: { flights, entry }, isolateId, known } = recovered;
  const flight = flights.at(-1);
  if (!flight) return (await store.kv.atomic().check(entry).delete(entry.key).commit()).ok;
  const turn = await store.kv.get(keys.isolate(isolateId));
  const operation = store.kv.atomic().check(entry, turn);
  if (turn.value !== null) operation.set(turn.key, turn.value);
  if (!known) {
    const leases = await getLeases(store, isolateId, flight.moneyIds);
    const unpaid = leases.length < flight.moneyIds.length; // a lease that holds nothing has no record
    const charge = unpaid ? 0n : coveredBy(leases, flight.row.costNanoUsd ?? 0n);
    for (const lease of leases) addPayment(operation, isolateId, lease, charge);
    const { accountId, keyId, atMs, upstreamCost } = flight.row;
    const day = chargeDay(atMs);
    const upstreamNanoUsd = upstreamCost?.nanoUsd ?? 0n;
    addCharge(operation, { accountId, keyId, day, nanoUsd: charge, upstreamNanoUsd });
    const place = { isolateId, sequence: `recovered-${flight.row.id}` };
    addWaitingRows(operation, place, [packRow(chargedRow(flight, charge))]);
  }
  if (flights.length > 1) operation.set(entry.key, flights.slice(0, -1));
  else operation.delete(entry.key);
  return (await operation.commit()).ok;
}

function coveredBy(leases: readonly LeaseRecord[], cost: bigint): bigint {
  return leases.reduce((covered, { held }) => held < covered ? held : covered, cost);
}

function addPayment(
  operation: AtomicOperation,
  isolateId: string,
  { allowanceId, held }: LeaseRecord,
  charge: bigint,
): void {
  setLease(operation, isolateId, allowanceId, held - charge);
  addSpent(operation, allowanceId, charge);
}

function chargedRow({ row }: InFlight, charge: bigint): InFlight["row"] {
  const { costNanoUsd: cost } = row;
  if (cost === undefined || cost === charge) return row;
  return { ...row, costNanoUsd: charge, uncoveredNanoUsd: cost - charge };
}
