import { listUnsettledPayments, takePaymentPass } from "../store/money/mod.ts";
import { reasonOf } from "../telemetry/log.ts";
import { paymentEventTypes, paymentOfEvent } from "./payment_events.ts";
import { type PaymentServices, settlePayment } from "./settle_payment.ts";

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
  const turn = await takePaymentPass(store, { nowMs: now(), intervalMs, atStart });
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
