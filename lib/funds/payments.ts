import type { Config, StripeSettings } from "../config.ts";
import type { Store } from "../store/mod.ts";
import { type Payment, readPayment } from "../store/money/mod.ts";
import type { User } from "../store/users/mod.ts";
import { reasonOf, type Report } from "../telemetry/log.ts";
import {
  beginPayment,
  type BeginResult,
  type PaymentBounds,
  type PaymentWanted,
} from "./checkout.ts";
import {
  type PaymentEvent,
  reconcilePayments,
  type Reconciliation,
  takeEvent,
} from "./payment_events.ts";
import { type PaymentServices, settlePayment } from "./settle_payment.ts";
import { createStripe, isBadSignature, isRefusedKey } from "./stripe.ts";

/** The settings and services of `Payments`. */
export interface PaymentsOptions {
  readonly store: Store;
  readonly stripe: StripeSettings;
  readonly limits: PaymentLimits;
  readonly report: Report;
  readonly now?: () => number;
}

interface PaymentLimits extends PaymentBounds {
  readonly webhookBytesMax: number;
  /** The longest time to read the body of a webhook. */
  readonly bodyTimeoutMs: number;
  /** The interval of the search for payments whose webhook was lost. */
  readonly paymentReconcileMinutes: number;
}

type PaymentCheck = "delivered" | "refused" | "unreachable";

/** The result of a webhook, which decides the status of the answer. */
export type WebhookResult =
  /** The event is settled in the store, or is not ours: answer with 2xx. */
  | { readonly type: "taken" }
  /** The signature is wrong or too old: answer with 400. */
  | { readonly type: "refused"; readonly message: string };

const minuteMs = 60_000;
/** The oldest accepted signature, against replays. Stripe signs each delivery afresh. */
const toleranceSeconds = 300;
const closeWaitMs = 1_000;

/** Returns undefined if Stripe is not configured. */
export async function createPayments(
  store: Store,
  { stripe, limits }: Pick<Config, "stripe"> & { readonly limits: PaymentLimits },
  report: Report,
): Promise<Payments | undefined> {
  return stripe && await Payments.open({ store, stripe, limits, report });
}

/**
 * Payments through Stripe: started at Checkout, settled on webhooks, polled if a webhook is lost.
 */
export class Payments {
  readonly limits: PaymentLimits;
  readonly #services: PaymentServices & { readonly limits: PaymentBounds };
  readonly #webhookSecret: string;
  readonly #isTestMode: boolean;
  readonly #stopping = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #passing: Promise<unknown> = Promise.resolve();

  /** Asks Stripe nothing yet. */
  static async open(options: PaymentsOptions): Promise<Payments> {
    return new Payments(options, await createStripe(options.stripe));
  }

  private constructor(options: PaymentsOptions, client: PaymentServices["stripe"]) {
    const { store, stripe, limits, report, now = Date.now } = options;
    this.limits = limits;
    this.#webhookSecret = stripe.webhookSecret;
    this.#isTestMode = /^(sk|rk)_test_/.test(stripe.secretKey);
    this.#services = { store, stripe: client, limits, report, now };
  }

  /** The handler of Stripe's webhooks with its limits. */
  get webhook() {
    const { webhookBytesMax: bodyBytesMax, bodyTimeoutMs } = this.limits;
    return {
      limits: { bodyBytesMax, bodyTimeoutMs },
      take: (body: string, signature: string) => this.takeWebhook(body, signature),
    };
  }

  /** True if the key belongs to Stripe's test mode, which moves no real money. */
  get isTestMode(): boolean {
    return this.#isTestMode;
  }

  /** Lists one Checkout session, to test that Stripe answers and accepts the key. */
  async check(): Promise<PaymentCheck> {
    try {
      await this.#services.stripe.checkout.sessions.list({ limit: 1 });
      return "delivered";
    } catch (error) {
      return isRefusedKey(error) ? "refused" : "unreachable";
    }
  }

  /** Starts a payment; see `beginPayment`. Returns `failed` if Stripe does not answer. */
  async begin(wanted: PaymentWanted): Promise<BeginResult> {
    try {
      return await beginPayment(this.#services, wanted);
    } catch (error) {
      this.#reportFailure("Cannot start a payment", error, { accountId: wanted.user.id });
      return { type: "failed" };
    }
  }

  /**
   * Returns the state of a user's payment, read from Stripe while the payment is not final. If
   * Stripe does not answer, returns the stored state. Returns undefined if the user has no such
   * payment.
   */
  async find(user: User, id: string): Promise<Payment | undefined> {
    const known = await readPayment(this.#services.store, id);
    if (known?.payment.accountId !== user.id) return undefined;
    if (!isAwaited(known.payment)) return known.payment;
    try {
      return await settlePayment(this.#services, id);
    } catch (error) {
      this.#reportFailure("Cannot read a payment from Stripe", error, { payment: id });
      return known.payment;
    }
  }

  /**
   * Handles a webhook: `body` exactly as received, `signature` from `stripe-signature`. Resolves
   * once the event is settled in the ledger; rejects if it cannot be, so that Stripe redelivers it.
   */
  async takeWebhook(body: string, signature: string): Promise<WebhookResult> {
    const event = await this.#verified(body, signature);
    if (event === undefined) return refused;
    const result = await takeEvent(this.#services, event);
    if (result.type === "foreign") {
      const { id, type } = event;
      this.#services.report("info", "Stripe reported a payment that was not started here", {
        event: id,
        eventType: type,
      });
    }
    return { type: "taken" };
  }

  /** Searches for lost payments immediately, then at every interval, until `close`. */
  start(): void {
    this.#pass(true);
  }

  /**
   * Searches for lost payments once. Returns undefined if another isolate did so within the
   * interval.
   */
  reconcile(options: { readonly atStart?: boolean } = {}): Promise<Reconciliation | undefined> {
    const intervalMs = this.limits.paymentReconcileMinutes * minuteMs;
    const { atStart = false } = options;
    return reconcilePayments(this.#services, { intervalMs, atStart }, this.#stopping.signal);
  }

  /** Stops the search. Waits at most a second for a pending request to Stripe. */
  async close(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    const { promise: waited, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeWaitMs);
    await Promise.race([this.#passing, waited]);
    clearTimeout(timer);
  }

  #pass(atStart: boolean): void {
    this.#passing = this.reconcile({ atStart })
      .catch((error) => this.#reportFailure("Cannot check for unreported payments", error, {}))
      .then(() => this.#schedule());
  }

  #schedule(): void {
    if (this.#stopping.signal.aborted) return;
    const intervalMs = this.limits.paymentReconcileMinutes * minuteMs;
    this.#timer = setTimeout(() => this.#pass(false), intervalMs);
    Deno.unrefTimer(this.#timer);
  }

  async #verified(
    body: string,
    signature: string,
  ): Promise<(PaymentEvent & { id: string }) | undefined> {
    const { stripe, now } = this.#services;
    try {
      return await stripe.webhooks.constructEventAsync(
        body,
        signature,
        this.#webhookSecret,
        toleranceSeconds,
        undefined,
        now(),
      );
    } catch (error) {
      if (isBadSignature(error)) return undefined;
      throw error;
    }
  }

  #reportFailure(message: string, error: unknown, fields: Readonly<Record<string, string>>): void {
    if (this.#stopping.signal.aborted) return;
    this.#services.report("error", message, { ...fields, cause: reasonOf(error) });
  }
}

function isAwaited({ status }: Payment): boolean {
  return status === "open" || status === "processing";
}

const refused = {
  type: "refused",
  message: "Cannot accept the webhook: its signature is invalid. Check STRIPE_WEBHOOK_SECRET",
} as const satisfies WebhookResult;
