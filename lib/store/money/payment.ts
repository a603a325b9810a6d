import { z } from "zod";
import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { firstOrderedId } from "../kv/id.ts";
import { keys } from "../keys.ts";
import { addEntries, type EntryDraft } from "./ledger_entry_post.ts";
import { decodeRecord, encodeRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

const paymentStatuses = [
  /** The payer may still pay. */
  "open",
  /** Ordered, but the money is still on its way, as with a bank transfer. */
  "processing",
  "paid",
  /** The money did not come. */
  "failed",
  "expired",
  /** Paid, but there is no such account any more. */
  "unclaimed",
] as const;
/** The status of a payment. */
export type PaymentStatus = typeof paymentStatuses[number];

/** A payment that an account has started, with the amounts already in the ledger, in nano-dollars. */
export interface Payment {
  /** That of the Checkout session. */
  readonly id: string;
  readonly accountId: string;
  readonly status: PaymentStatus;
  /** The requested amount; once paid, the paid amount. */
  readonly amountNanoUsd: bigint;
  readonly createdAtMs: number;
  /** Where it can be paid, while it is open. */
  readonly url?: string;
  /** By which refunds and disputes name it. */
  readonly intentId?: string;
  /** The amount credited to the wallet. */
  readonly creditedNanoUsd: bigint;
  /** The amount debited again because of refunds. */
  readonly refundedNanoUsd: bigint;
  /** The amount debited again because of disputes. */
  readonly disputedNanoUsd: bigint;
  /** A dispute about it is not decided. */
  readonly disputeOpen: boolean;
  /** The number of its ledger entries. */
  readonly entries: number;
}

/** A payment as it was read: a change of it fails where it was changed since. */
interface PaymentRead {
  readonly payment: Payment;
  readonly versionstamp: string;
}

const kind: Kind<Payment> = {
  name: "payment",
  version: 1,
  schema: z.object({
    id: z.string(),
    accountId: z.string(),
    status: z.enum(paymentStatuses),
    amountNanoUsd: z.bigint(),
    createdAtMs: z.number(),
    url: z.string().optional(),
    intentId: z.string().optional(),
    creditedNanoUsd: z.bigint(),
    refundedNanoUsd: z.bigint(),
    disputedNanoUsd: z.bigint(),
    disputeOpen: z.boolean(),
    entries: z.number(),
  }),
};

/** Records a new payment, before its payer can pay. */
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

/** The id of the payment that a refund or a dispute is about; undefined before it is known to be paid. */
export async function findPaymentOfIntent(
  store: Store,
  intentId: string,
): Promise<string | undefined> {
  const { value } = await store.kv.get<string>(keys.paymentOfIntent(intentId));
  return value ?? undefined;
}

/**
 * Changes a payment and posts what that means for the wallet, in one commit. False where the
 * payment was changed since it was read: read it again. The balance may fall below 0, as this only
 * records what has happened elsewhere.
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

/** The ids of payments of which news is still to come. */
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

function put(operation: Deno.AtomicOperation, payment: Payment): Deno.AtomicOperation {
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
