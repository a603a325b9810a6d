import type Stripe from "stripe";
import type { PaymentStatus } from "../store/money/mod.ts";
import { isMissing } from "./stripe.ts";
import { nanoPerCent } from "./usd.ts";

/** The present state of a payment at Stripe, in nano-dollars. */
export interface PaymentTruth {
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
export async function askStripe(stripe: Stripe, id: string): Promise<PaymentTruth | undefined> {
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
