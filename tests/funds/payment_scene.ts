import { assert, assertEquals } from "@std/assert";
import { Payments, type PaymentsOptions, verifyFunds } from "../../lib/funds/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { balanceOf } from "../../lib/store/money/mod.ts";
import { getUser } from "../../lib/store/users/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addMembers, nowMs } from "./accounts.ts";
import { type FakeEvent, type FakeStripe, serveFakeStripe, signed } from "./fake_stripe.ts";

/** A paying member, a fake Stripe, and the lines of the operator's log. */
export interface PaymentScene {
  readonly store: Store;
  readonly stripe: FakeStripe;
  readonly payments: Payments;
  readonly clock: { nowMs: number };
  readonly reports: string[];
  readonly accountId: string;
  /** Starts a payment and returns its id. */
  readonly begin: (cents?: number) => Promise<string>;
  /** Delivers an event as Stripe does. */
  readonly deliver: (event: FakeEvent) => Promise<void>;
  readonly balanceCents: () => Promise<number>;
}

export const limits = {
  paymentUsdMin: 5,
  paymentUsdMax: 1_000,
  paymentReconcileMinutes: 10,
  webhookBytesMax: 100_000,
  bodyTimeoutMs: 1_000,
};

/** Registers a test with a scene of its own, after which the ledger must add up. */
export function testPayments(name: string, run: (scene: PaymentScene) => Promise<void>): void {
  testOnStores(name, (store) => withScene(store, run));
}

export async function withScene(
  store: Store,
  run: (scene: PaymentScene) => Promise<void>,
): Promise<void> {
  const clock = { nowMs };
  const reports: string[] = [];
  const stripe = serveFakeStripe(() => clock.nowMs);
  const options: PaymentsOptions = {
    store,
    stripe: stripe.config,
    limits,
    now: () => clock.nowMs,
    report: (level, message) => reports.push(`${level}: ${message}`),
  };
  const payments = await Payments.open(options);
  const [accountId] = await addMembers(store, 1);
  try {
    await run({
      store,
      stripe,
      payments,
      clock,
      reports,
      accountId,
      begin: (cents = 1_000) => begin({ store, payments, accountId }, cents),
      deliver: (event) => deliver(payments, event, clock.nowMs),
      balanceCents: async () => Number(await balanceOf(store, accountId) / 10_000_000n),
    });
    assertEquals(await verifyFunds(store), []);
  } finally {
    await payments.close();
    await stripe.close();
  }
}

async function begin(
  { store, payments, accountId }: Pick<PaymentScene, "store" | "payments" | "accountId">,
  cents: number,
): Promise<string> {
  const user = await getUser(store, accountId);
  assert(user);
  const result = await payments.begin({
    user,
    amountNanoUsd: BigInt(cents) * 10_000_000n,
    returnUrl: "http://localhost/console/topup",
    language: "en",
  });
  assert(result.type === "begun", JSON.stringify(result));
  return result.id;
}

async function deliver(payments: Payments, event: FakeEvent, atMs: number): Promise<void> {
  const body = JSON.stringify(event);
  const result = await payments.takeWebhook(body, await signed(body, atMs));
  assertEquals(result, { type: "taken" });
}
