import type { Config, StripeSettings } from "../config.ts";
import type { Store } from "../store/mod.ts";
import { type Payment, readPayment } from "../store/money/mod.ts";
import type { User } from "../store/users/mod.ts";
import {
  beginPayment,
  type BeginResult,
  type PaymentBounds,
  type PaymentWanted,
} from "./checkout.ts";
import { type PaymentEvent, takeEvent } from "./payment_events.ts";
import { reconcilePayments, type Reconciliation } from "./reconcile.ts";
import { type PaymentServices, type Report, settlePayment } from "./settle_payment.ts";
import { createStripe, isBadSignature, isRefusedKey } from "./stripe.ts";

/** What payments need of the world. */
export interface PaymentsOptions {
  readonly store: Store;
  readonly stripe: StripeSettings;
  readonly limits: PaymentLimits;
  readonly report: Report;
  readonly now?: () => number;
}

/** The bounds of payments and of the webhooks that tell of them. */
interface PaymentLimits extends PaymentBounds {
  readonly webhookBytesMax: number;
  /** How long a webhook may take to arrive. */
  readonly bodyTimeoutMs: number;
  /** How often lost payments are looked for. */
  readonly paymentReconcileMinutes: number;
}

/** What came of asking Stripe whether it answers. */
type PaymentCheck = "delivered" | "refused" | "unreachable";

/** What came of a webhook, and what to answer. */
export type WebhookResult =
  /** What it tells is durable, or is nothing to us: answer with 2xx. */
  | { readonly type: "taken" }
  /** Not from Stripe, or of another time: answer with 400. */
  | { readonly type: "refused"; readonly message: string };

const minuteMs = 60_000;
/** How old a webhook may be, in seconds, so that nobody sends one again later. Stripe signs each delivery anew. */
const toleranceSeconds = 300;
const closeWaitMs = 1_000;

/** Payments as the configuration has them; undefined where Stripe is not set up. */
export function createPayments(
  store: Store,
  { stripe, limits }: Pick<Config, "stripe"> & { readonly limits: PaymentLimits },
  report: Report,
): Payments | undefined {
  return stripe && new Payments({ store, stripe, limits, report });
}

/** Payments by Stripe: begun at its Checkout, told by its webhooks, and asked for where those are lost. */
export class Payments {
  readonly limits: PaymentLimits;
  readonly #services: PaymentServices & { readonly limits: PaymentBounds };
  readonly #webhookSecret: string;
  readonly #isTestMode: boolean;
  readonly #stopping = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #passing: Promise<unknown> = Promise.resolve();

  constructor({ store, stripe, limits, report, now = Date.now }: PaymentsOptions) {
    this.limits = limits;
    this.#webhookSecret = stripe.webhookSecret;
    this.#isTestMode = /^(sk|rk)_test_/.test(stripe.secretKey);
    this.#services = { store, stripe: createStripe(stripe), limits, report, now };
  }

  /** What the address for Stripe's webhooks needs. */
  get webhook() {
    const { webhookBytesMax: bodyBytesMax, bodyTimeoutMs } = this.limits;
    return {
      limits: { bodyBytesMax, bodyTimeoutMs },
      take: (body: string, signature: string) => this.takeWebhook(body, signature),
    };
  }

  /** Whether Stripe moves no real money for this key. */
  get isTestMode(): boolean {
    return this.#isTestMode;
  }

  /** Asks Stripe for something that it must know, to see whether it answers and takes the key. */
  async check(): Promise<PaymentCheck> {
    try {
      await this.#services.stripe.checkout.sessions.list({ limit: 1 });
      return "delivered";
    } catch (error) {
      return isRefusedKey(error) ? "refused" : "unreachable";
    }
  }

  /** Begins a payment; see `beginPayment`. `failed` where Stripe does not answer: nothing was charged. */
  async begin(wanted: PaymentWanted): Promise<BeginResult> {
    try {
      return await beginPayment(this.#services, wanted);
    } catch (error) {
      this.#reportFailure("Cannot begin a payment", error, { accountId: wanted.user.id });
      return { type: "failed" };
    }
  }

  /**
   * The state of a payment that a user has begun, after asking Stripe where news of it is still to
   * come. Undefined where the user began no such payment. Where Stripe does not answer, the state
   * is the one known here.
   */
  async find(user: User, id: string): Promise<Payment | undefined> {
    const known = await readPayment(this.#services.store, id);
    if (known?.payment.accountId !== user.id) return undefined;
    if (!isAwaited(known.payment)) return known.payment;
    try {
      return await settlePayment(this.#services, id);
    } catch (error) {
      this.#reportFailure("Cannot ask Stripe for a payment", error, { payment: id });
      return known.payment;
    }
  }

  /**
   * Takes what Stripe posted: `body` exactly as it came, `signature` from `stripe-signature`.
   * Resolves once what it tells is in the ledger; rejects where that could not be, so that Stripe
   * sends it again.
   */
  async takeWebhook(body: string, signature: string): Promise<WebhookResult> {
    const event = await this.#verified(body, signature);
    if (event === undefined) return refused;
    const result = await takeEvent(this.#services, event);
    if (result.type === "foreign") {
      const { id, type } = event;
      this.#services.report("info", "Stripe told of a payment that was not begun here", {
        event: id,
        eventType: type,
      });
    }
    return { type: "taken" };
  }

  /** Looks for lost payments now, and then again and again until `close`. */
  start(): void {
    this.#pass(true);
  }

  /** One look for lost payments; undefined where another isolate has looked just now. */
  reconcile(options: { readonly atStart?: boolean } = {}): Promise<Reconciliation | undefined> {
    const intervalMs = this.limits.paymentReconcileMinutes * minuteMs;
    const { atStart = false } = options;
    return reconcilePayments(this.#services, { intervalMs, atStart }, this.#stopping.signal);
  }

  /** Ends the looking. A question that Stripe is about to answer is not waited for long. */
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
      .catch((error) => this.#reportFailure("Cannot look for lost payments", error, {}))
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
    const cause = error instanceof Error ? error.message : String(error);
    this.#services.report("error", message, { ...fields, cause });
  }
}

function isAwaited({ status }: Payment): boolean {
  return status === "open" || status === "processing";
}

const refused = {
  type: "refused",
  message: "Cannot take webhook: its signature does not hold; check STRIPE_WEBHOOK_SECRET",
} as const satisfies WebhookResult;
