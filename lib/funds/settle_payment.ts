import type Stripe from "stripe";
import { usdText } from "../canonical/mod.ts";
import { type Store, untilCommitted } from "../store/mod.ts";
import {
  changePayment,
  type EntryDraft,
  type Payment,
  type PaymentStatus,
  readPayment,
  recallLeases,
  walletId,
} from "../store/money/mod.ts";
import { firstAccountId, getUser } from "../store/users/mod.ts";
import type { Report } from "../telemetry/log.ts";
import { everyIsolate } from "./grants.ts";
import { isMissing, nanoPerCent } from "./stripe.ts";

/** The present state of a payment at Stripe, in nano-dollars. */
interface PaymentTruth {
  readonly status: Exclude<PaymentStatus, "unclaimed">;
  /** The payment's currency in lower case, unless it is `usd`. */
  readonly foreignCurrency?: string;
  readonly paidNanoUsd: bigint;
  readonly url?: string;
  readonly intentId?: string;
  /** Undefined until the payment succeeds. */
  readonly charge?: ChargeTruth;
}

/** The refunds and disputes of a charge. */
interface ChargeTruth {
  /** The sum of all refunds that did not fail. */
  readonly refundedNanoUsd: bigint;
  /** The amount that disputes hold at present. */
  readonly disputedNanoUsd: bigint;
  readonly disputeOpen: boolean;
}

/**
 * Reads a Checkout session with its charge, refunds and disputes. Events only trigger this read, so
 * their order does not matter. Returns undefined if Stripe does not know the session.
 */
async function askStripe(stripe: Stripe, id: string): Promise<PaymentTruth | undefined> {
  const session = await retrieve(stripe, id);
  if (session === undefined) return undefined;
  const intent = typeof session.payment_intent === "object" ? session.payment_intent : undefined;
  const intentId = intent?.id ?? session.payment_intent;
  const latest = intent?.latest_charge;
  const charge = typeof latest === "object" ? latest : undefined;
  const paid = session.payment_status === "paid";
  return {
    status: statusOf(session, intent?.status),
    paidNanoUsd: paid ? BigInt(session.amount_total ?? 0) * nanoPerCent : 0n,
    ...(session.currency !== "usd" && { foreignCurrency: String(session.currency) }),
    ...(session.url && { url: session.url }),
    ...(typeof intentId === "string" && { intentId }),
    ...(paid && charge && { charge: await chargeTruth(stripe, charge) }),
  };
}

async function retrieve(stripe: Stripe, id: string) {
  try {
    return await stripe.checkout.sessions.retrieve(id, {
      expand: ["payment_intent.latest_charge"],
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function statusOf(
  { status, payment_status }: Stripe.Checkout.Session,
  intentStatus: string | undefined,
): PaymentTruth["status"] {
  if (status === "expired") return "expired";
  if (status === "open") return "open";
  if (payment_status !== "unpaid") return "paid";
  const failed = intentStatus === "requires_payment_method" || intentStatus === "canceled";
  return failed ? "failed" : "processing";
}

async function chargeTruth(stripe: Stripe, charge: Stripe.Charge): Promise<ChargeTruth> {
  const disputes = charge.disputed ? await disputesOf(stripe, charge.id) : [];
  const taken = disputes.filter(hasTaken).reduce((sum, { amount }) => sum + amount, 0);
  return {
    refundedNanoUsd: BigInt(charge.amount_refunded) * nanoPerCent,
    disputedNanoUsd: BigInt(taken) * nanoPerCent,
    disputeOpen: disputes.some(({ status }) => !decided.has(status)),
  };
}

function disputesOf(stripe: Stripe, chargeId: string): Promise<Stripe.Dispute[]> {
  return stripe.disputes.list({ charge: chargeId, limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
}

const decided: ReadonlySet<string> = new Set(["won", "lost", "warning_closed", "prevented"]);

/**
 * Returns true if a dispute has debited our Stripe balance. An inquiry (`warning_…`) debits
 * nothing; an unknown status is decided by the dispute's balance transactions.
 */
function hasTaken({ status, balance_transactions }: Stripe.Dispute): boolean {
  const known = Object.hasOwn(takenIn, status) ? takenIn[status] : undefined;
  return known ?? balance_transactions.reduce((sum, { amount }) => sum + amount, 0) < 0;
}

const takenIn: Readonly<Record<string, boolean>> = {
  warning_needs_response: false,
  warning_under_review: false,
  warning_closed: false,
  needs_response: true,
  under_review: true,
  appeal_needs_response: true,
  appeal_under_review: true,
  lost: true,
  won: false,
};

/** The services that payments use. */
export interface PaymentServices {
  readonly store: Store;
  readonly stripe: Stripe;
  readonly now: () => number;
  /** Logs something for the operator to check. Fields hold ids and amounts, no secret. */
  readonly report: Report;
}

/**
 * Brings the ledger in line with a payment's state at Stripe: credits what was paid, debits refunds
 * and disputes. Idempotent under repeated, concurrent, late and reordered calls: it reads the
 * record, then Stripe, and commits only if the record is unchanged. Returns undefined for a session
 * that this server did not start. Rejects, with nothing changed, if Stripe or the store does not
 * answer.
 */
export async function settlePayment(
  services: PaymentServices,
  id: string,
): Promise<Payment | undefined> {
  const { store, stripe } = services;
  const settled = await untilCommitted("payment", async () => {
    const read = await readPayment(store, id);
    if (read === undefined) return { payment: undefined };
    const truth = await askStripe(stripe, id);
    const payment = await broughtUpToDate(services, read.payment, truth);
    if (isSame(payment, read.payment)) return { payment };
    const drafts = draftsBetween(read.payment, payment, services.now());
    if (!await changePayment(store, read, payment, drafts)) return undefined;
    if (drafts.some(({ changeNanoUsd }) => changeNanoUsd < 0n)) {
      await recallLeases(store, walletId(payment.accountId), everyIsolate); // it must not be spent
    }
    reportChange(services.report, { before: read.payment, after: payment, truth });
    return { payment };
  });
  return settled.payment;
}

async function broughtUpToDate(
  { store }: PaymentServices,
  current: Payment,
  truth: PaymentTruth | undefined,
): Promise<Payment> {
  const { url: _, ...kept } = current;
  if (truth === undefined) return current.creditedNanoUsd > 0n ? current : expired(kept);
  const { charge, intentId = current.intentId } = truth;
  const creditedNanoUsd = await creditOf(store, current, truth);
  const unclaimed = truth.status === "paid" && truth.paidNanoUsd > 0n && creditedNanoUsd === 0n;
  const refunded = lower(charge?.refundedNanoUsd ?? current.refundedNanoUsd, creditedNanoUsd);
  const disputed = charge?.disputedNanoUsd ?? current.disputedNanoUsd;
  const payment: Payment = {
    ...kept,
    status: unclaimed ? "unclaimed" : truth.status,
    amountNanoUsd: creditedNanoUsd > 0n ? creditedNanoUsd : current.amountNanoUsd,
    creditedNanoUsd,
    refundedNanoUsd: refunded,
    disputedNanoUsd: lower(disputed, creditedNanoUsd - refunded),
    disputeOpen: charge?.disputeOpen ?? current.disputeOpen,
    ...(intentId !== undefined && { intentId }),
    ...(truth.status === "open" && truth.url !== undefined && { url: truth.url }),
  };
  return { ...payment, entries: current.entries + changesBetween(current, payment).length };
}

/**
 * Expires the payment of a session that Stripe does not know any more, for example because the key
 * belongs to another account.
 */
function expired(payment: Payment): Payment {
  return { ...payment, status: "expired" };
}

/** The amount to credit, fixed once credited: only refunds and disputes take money out again. */
async function creditOf(store: Store, current: Payment, truth: PaymentTruth): Promise<bigint> {
  if (current.creditedNanoUsd > 0n) return current.creditedNanoUsd;
  if (truth.paidNanoUsd === 0n || truth.foreignCurrency !== undefined) return 0n;
  const { accountId } = current;
  const known = accountId === firstAccountId || await getUser(store, accountId) !== undefined;
  return known ? truth.paidNanoUsd : 0n;
}

/** The reasons that refund entries give. */
export const refundReasons = {
  given: "Refund",
  returned: "Refund that did not go through",
  disputed: "Payment disputed",
  won: "Dispute decided for us",
} as const;

interface Change {
  readonly type: "payment" | "refund";
  readonly changeNanoUsd: bigint;
  readonly reason: string;
}

/** The wallet's changes from one state of a payment to the next. */
function changesBetween(before: Payment, after: Payment): Change[] {
  const paid = after.creditedNanoUsd - before.creditedNanoUsd;
  const refunded = before.refundedNanoUsd - after.refundedNanoUsd;
  const disputed = before.disputedNanoUsd - after.disputedNanoUsd;
  const changes: Change[] = [
    { type: "payment", changeNanoUsd: paid, reason: "Payment" },
    {
      type: "refund",
      changeNanoUsd: refunded,
      reason: refunded < 0n ? refundReasons.given : refundReasons.returned,
    },
    {
      type: "refund",
      changeNanoUsd: disputed,
      reason: disputed < 0n ? refundReasons.disputed : refundReasons.won,
    },
  ];
  return changes.filter(({ changeNanoUsd }) => changeNanoUsd !== 0n);
}

function draftsBetween(before: Payment, after: Payment, nowMs: number): EntryDraft[] {
  const { id, accountId } = after;
  return changesBetween(before, after).map((change, place) => ({
    ...change,
    atMs: nowMs,
    accountId,
    actor: "stripe",
    reference: id,
    // With the amount: a stale caller must fail on the changed payment, not on this key.
    idempotencyKey: `stripe:${id}:${before.entries + place}:${change.changeNanoUsd}`,
  }));
}

function reportChange(
  report: Report,
  { before, after, truth }: {
    readonly before: Payment;
    readonly after: Payment;
    readonly truth: PaymentTruth | undefined;
  },
): void {
  const { id: payment, accountId, status, creditedNanoUsd } = after;
  if (truth === undefined) return report("warn", "Stripe does not know a payment", { payment });
  if (status === "unclaimed" && before.status !== "unclaimed") {
    const amount = usdText(truth.paidNanoUsd);
    const why = truth.foreignCurrency ?? "no such account";
    report("error", "A payment cannot be credited: refund it", { payment, accountId, why, amount });
  }
  if (creditedNanoUsd > before.creditedNanoUsd) {
    const amount = usdText(creditedNanoUsd);
    report("info", "A payment was credited", { payment, accountId, amount });
  }
  const back = after.refundedNanoUsd + after.disputedNanoUsd - before.refundedNanoUsd -
    before.disputedNanoUsd;
  if (back === 0n) return;
  report("warn", "A payment was refunded or disputed", {
    payment,
    accountId,
    amount: usdText(back),
  });
}

function isSame(a: Payment, b: Payment): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as ReadonlySet<keyof Payment>; // of Payments
  return [...names].every((name) => a[name] === b[name]);
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
