import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { firstOrderedId } from "../kv/id.ts";
import { decodeRecord, encodeRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { addEntries, type EntryDraft } from "./ledger_entry_post.ts";

const paymentStatuses = [
  /** The payer may still pay. */
  "open",
  /** Ordered, but the money is still on its way, as with a bank transfer. */
  "processing",
  "paid",
  /** The payment failed. */
  "failed",
  "expired",
  /** Paid, but the account no longer exists. */
  "unclaimed",
] as const;
/** The status of a payment. */
export type PaymentStatus = typeof paymentStatuses[number];

/** A payment started by an account, with the amounts already in the ledger, in nano-dollars. */
export interface Payment {
  /** The id of the Checkout session. */
  readonly id: string;
  readonly accountId: string;
  readonly status: PaymentStatus;
  /** The requested amount; once paid, the paid amount. */
  readonly amountNanoUsd: bigint;
  readonly createdAtMs: number;
  /** The payment page, while the payment is open. */
  readonly url?: string;
  /** The id that refunds and disputes refer to. */
  readonly intentId?: string;
  /** The amount credited to the wallet. */
  readonly creditedNanoUsd: bigint;
  /** The amount debited again because of refunds. */
  readonly refundedNanoUsd: bigint;
  /** The amount debited again because of disputes. */
  readonly disputedNanoUsd: bigint;
  /** True while a dispute about it is undecided. */
  readonly disputeOpen: boolean;
  /** The number of its ledger entries. */
  readonly entries: number;
}

/** A payment with its version. Changing it fails if it has changed since. */
interface PaymentRead {
  readonly payment: Payment;
  readonly versionstamp: string;
}

const kind: Kind<Payment> = { name: "payment", version: 1 };

/** Stores a new payment, before the payer can pay it. */
export async function createPayment(
  store: Store,
  begun: Pick<Payment, "id" | "accountId" | "amountNanoUsd" | "createdAtMs" | "url">,
  { audit }: AuditOptions = {},
): Promise<void> {
  const payment: Payment = {
    ...begun,
    status: "open",
    creditedNanoUsd: 0n,
    refundedNanoUsd: 0n,
    disputedNanoUsd: 0n,
    disputeOpen: false,
    entries: 0,
  };
  const operation = store.kv.atomic()
    .set(keys.paymentOfAccount(payment.accountId, orderOf(payment)), payment.id);
  addAuditEntry(operation, audit);
  await put(operation, payment).commit();
}

/** Returns a payment with its version; undefined if there is none. */
export async function readPayment(store: Store, id: string): Promise<PaymentRead | undefined> {
  const { value, versionstamp } = await store.kv.get(keys.payment(id));
  return value === null || versionstamp === null
    ? undefined
    : { payment: decodeRecord(kind, value), versionstamp };
}

/**
 * Returns the id of the payment of a refund or a dispute; undefined before we know that it was
 * paid.
 */
export async function findPaymentOfIntent(
  store: Store,
  intentId: string,
): Promise<string | undefined> {
  const { value } = await store.kv.get<string>(keys.paymentOfIntent(intentId));
  return value ?? undefined;
}

/**
 * Changes a payment and posts its effect on the wallet, in one commit. Returns false if the payment
 * has changed since it was read: read it again. The balance may fall below 0, because this only
 * records events elsewhere.
 */
export async function changePayment(
  store: Store,
  { payment: current, versionstamp }: PaymentRead,
  payment: Payment,
  drafts: readonly EntryDraft[],
): Promise<boolean> {
  const operation = store.kv.atomic()
    .check({ key: keys.payment(current.id), versionstamp });
  if (drafts.length > 0) await addEntries(store, operation, drafts, { overdraw: true });
  return (await put(operation, payment).commit()).ok;
}

/** Newest first. */
export async function listPayments(
  store: Store,
  accountId: string,
  limit: number,
): Promise<Payment[]> {
  const prefix = keys.paymentsOfAccount(accountId);
  const paymentKeys: Deno.KvKey[] = [];
  for await (const { value } of store.kv.list<string>({ prefix }, { reverse: true, limit })) {
    paymentKeys.push(keys.payment(value));
  }
  const payments = await getRecords(store, kind, paymentKeys);
  return payments.filter((payment) => payment !== undefined);
}

/** Lists the ids of payments whose state may still change. */
export async function listUnsettledPayments(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of store.kv.list({ prefix: keys.paymentsUnsettled })) {
    ids.push(String(key.at(-1)));
  }
  return ids;
}

/** For audits. */
export async function* allPayments(store: Store): AsyncGenerator<Payment> {
  for await (const { value } of store.kv.list({ prefix: keys.payments }, { batchSize: 500 })) {
    yield decodeRecord(kind, value);
  }
}

function put(operation: AtomicOperation, payment: Payment): AtomicOperation {
  const unsettled = keys.paymentUnsettled(payment.id);
  const awaited = payment.status === "open" || payment.status === "processing" ||
    payment.disputeOpen;
  if (awaited) operation.set(unsettled, true);
  else operation.delete(unsettled);
  if (payment.intentId !== undefined) {
    operation.set(keys.paymentOfIntent(payment.intentId), payment.id);
  }
  return operation.set(keys.payment(payment.id), encodeRecord(kind, payment));
}

function orderOf({ id, createdAtMs }: Payment): string {
  return `${firstOrderedId(createdAtMs)}.${id}`;
}
