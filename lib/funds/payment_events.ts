import type Stripe from "stripe";
import { z } from "zod";
import { takePass } from "../store/isolates/mod.ts";
import { findPaymentOfIntent, listUnsettledPayments, type Payment } from "../store/money/mod.ts";
import { reasonOf } from "../telemetry/log.ts";
import { type PaymentServices, settlePayment } from "./settle_payment.ts";

/** The id of a payment that the object of each event carries. */
const subjectOf = {
  "checkout.session.completed": "session",
  "checkout.session.async_payment_succeeded": "session",
  "checkout.session.async_payment_failed": "session",
  "checkout.session.expired": "session",
  "charge.refunded": "intent",
  "charge.refund.updated": "intent",
  "refund.failed": "intent",
  "charge.dispute.created": "intent",
  "charge.dispute.updated": "intent",
  "charge.dispute.funds_withdrawn": "intent",
  "charge.dispute.funds_reinstated": "intent",
  "charge.dispute.closed": "intent",
} as const;

/** The fields of an event that are read. */
export type PaymentEvent = Pick<Stripe.Event, "type" | "data">;

type PaymentEventType = keyof typeof subjectOf;

/** The events to subscribe to; all others are acknowledged and ignored. */
export const paymentEventTypes = Object.keys(subjectOf) as readonly PaymentEventType[]; // its own keys

type EventResult =
  | { readonly type: "settled"; readonly payment: Payment }
  /** A payment that another application of the same Stripe account started. */
  | { readonly type: "foreign" }
  | { readonly type: "ignored" };

/** The ids in an event's object, the same in every API version; all else is fetched from Stripe. */
const objectSchema = z.object({
  id: z.string(),
  payment_intent: z.union([
    z.string(),
    z.object({ id: z.string() }).transform(({ id }) => id),
  ]).nullish(),
});

/**
 * Handles an event: reads the payment that it is about from Stripe and settles it in the ledger.
 * Rejects if Stripe or the store does not answer; Stripe must then redeliver the event.
 */
export async function takeEvent(
  services: PaymentServices,
  event: PaymentEvent,
): Promise<EventResult> {
  if (!isPaymentEvent(event.type)) return { type: "ignored" };
  const id = await paymentOfEvent(services, event);
  const payment = id === undefined ? undefined : await settlePayment(services, id);
  return payment ? { type: "settled", payment } : { type: "foreign" };
}

/**
 * Returns the id of an event's Checkout session, of another application too, or undefined without
 * one.
 */
async function paymentOfEvent(
  services: PaymentServices,
  { type, data }: PaymentEvent,
): Promise<string | undefined> {
  if (!isPaymentEvent(type)) return undefined;
  const { id, payment_intent: intentId } = objectSchema.parse(data.object);
  if (subjectOf[type] === "session") return id;
  return intentId ? await sessionOfIntent(services, intentId) : undefined;
}

/** A refund event may arrive before the payment is recorded: then Stripe maps it to a session. */
async function sessionOfIntent(
  { store, stripe }: PaymentServices,
  intentId: string,
): Promise<string | undefined> {
  const known = await findPaymentOfIntent(store, intentId);
  if (known !== undefined) return known;
  const { data } = await stripe.checkout.sessions.list({ payment_intent: intentId, limit: 1 });
  return data.at(0)?.id;
}

function isPaymentEvent(type: string): type is PaymentEventType {
  return Object.hasOwn(subjectOf, type);
}

/** The result of a pass. */
export interface Reconciliation {
  /** Payments that were checked. */
  readonly payments: number;
  /** Payments and events that could not be checked; the next pass retries them. */
  readonly failures: number;
}

const hourMs = 3_600_000;
/** Stripe keeps events for 30 days. */
const eventsKeptMs = 30 * 24 * hourMs;
/** Covers clock differences and events created while the last pass ran. */
const overlapMs = hourMs;

/**
 * Settles payments whose webhook was lost: reads every unsettled payment from Stripe, and all
 * events since the last pass without failures. Returns undefined if another isolate did so within
 * the interval.
 */
export async function reconcilePayments(
  services: PaymentServices,
  { intervalMs, atStart }: { readonly intervalMs: number; readonly atStart: boolean },
  signal?: AbortSignal,
): Promise<Reconciliation | undefined> {
  const { store, now } = services;
  const turn = await takePass(store, "payments", { nowMs: now(), intervalMs, atStart });
  if (turn === undefined) return undefined;
  const pass = new Pass(services, signal);
  for (const id of await listUnsettledPayments(store)) await pass.settle(id);
  const sinceMs = Math.max(turn.sinceMs - overlapMs, now() - eventsKeptMs);
  await pass.look("events", () => lookAtEvents(services, pass, sinceMs));
  if (pass.failures === 0 && !signal?.aborted) await turn.done();
  return { payments: pass.payments, failures: pass.failures };
}

async function lookAtEvents(
  services: PaymentServices,
  pass: Pass,
  sinceMs: number,
): Promise<void> {
  const events = services.stripe.events.list({
    types: [...paymentEventTypes],
    created: { gte: Math.floor(sinceMs / 1_000) },
    limit: 100,
  });
  for await (const event of events) {
    if (pass.stopped) return;
    await pass.look(event.id, async () => {
      const id = await paymentOfEvent(services, event);
      if (id !== undefined) await pass.settle(id);
    });
  }
}

/** Settles each payment once; a failure does not stop the pass. */
class Pass {
  readonly #looked = new Set<string>();
  failures = 0;

  constructor(readonly services: PaymentServices, readonly signal?: AbortSignal) {}

  get payments(): number {
    return this.#looked.size;
  }

  get stopped(): boolean {
    return this.signal?.aborted ?? false;
  }

  async settle(id: string): Promise<void> {
    if (this.stopped || this.#looked.has(id)) return;
    this.#looked.add(id);
    await this.look(id, () => settlePayment(this.services, id));
  }

  async look(what: string, looking: () => Promise<unknown>): Promise<void> {
    try {
      await looking();
    } catch (error) {
      if (this.stopped) return;
      this.failures++;
      this.services.report("warn", "Cannot check for unreported payments", {
        what,
        cause: reasonOf(error),
      });
    }
  }
}
