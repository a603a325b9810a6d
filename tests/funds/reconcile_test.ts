import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Payments } from "../../lib/funds/mod.ts";
import { readPayment } from "../../lib/store/money/mod.ts";
import { getUser } from "../../lib/store/users/mod.ts";
import { eventually, withMemoryStore } from "../store/temp_store.ts";
import type { FakeEvent, FakeStripe } from "./fake_stripe.ts";
import { limits, type PaymentScene, testPayments, withScene } from "./payment_scene.ts";

const minuteMs = 60_000;

testPayments("a payment without a webhook is found, once and by one isolate", async (scene) => {
  const { stripe, payments, clock } = scene;
  const [paid, left, refunded] = [await scene.begin(), await scene.begin(), await scene.begin()];
  stripe.pay(paid);
  stripe.expire(left);
  await scene.deliver(stripe.pay(refunded));
  stripe.refund(refunded, 400);
  assertEquals(await payments.reconcile(), { payments: 3, failures: 0 });
  assertEquals(await scene.balanceCents(), 1_600);
  assertEquals(await payments.reconcile(), undefined);
  clock.nowMs += 11 * minuteMs;
  const passes = await Promise.all([1, 2, 3].map(() => payments.reconcile()));
  assertEquals(passes.filter((pass) => pass !== undefined).length, 1);
  assertEquals(await scene.balanceCents(), 1_600);
});

testPayments("one isolate of a new start searches immediately", async (scene) => {
  const { stripe, payments, store } = scene;
  await payments.reconcile();
  stripe.pay(await scene.begin());
  assertEquals(await payments.reconcile({ atStart: true }), undefined);
  await store.kv.set(["payment_pass"], {
    ...(await store.kv.get<object>(["payment_pass"])).value,
    runId: "another start",
  });
  assertEquals((await payments.reconcile({ atStart: true }))?.failures, 0);
  assertEquals(await scene.balanceCents(), 1_000);
});

testPayments("the next pass retries failed checks", async (scene) => {
  const { stripe, payments, clock, reports } = scene;
  const id = await scene.begin();
  await scene.deliver(stripe.pay(id));
  stripe.refund(id, 1_000);
  stripe.failure = 403;
  assertEquals(await payments.reconcile(), { payments: 0, failures: 1 });
  assert(reports.includes("warn: Cannot check for unreported payments"));
  stripe.failure = undefined;
  clock.nowMs += 29 * 24 * 60 * minuteMs;
  assertEquals(await payments.reconcile(), { payments: 1, failures: 0 });
  assertEquals(await scene.balanceCents(), 0);
});

testPayments(
  "a payment unknown to Stripe expires, and is settled once known",
  async (scene) => {
    const { stripe, payments, store, clock } = scene;
    const id = await scene.begin();
    const session = stripe.session(id);
    stripe.forget(id);
    assertEquals(await payments.reconcile(), { payments: 1, failures: 0 });
    assertEquals((await readPayment(store, id))?.payment.status, "expired");
    clock.nowMs += 11 * minuteMs;
    assertEquals(await payments.reconcile(), { payments: 0, failures: 0 });
    const { id: again } = stripe.begin({ ...session, id });
    await scene.deliver(stripe.pay(again));
    assertEquals(await scene.balanceCents(), 1_000);
  },
);

testPayments("all pages of events are checked", async (scene) => {
  const { stripe, payments } = scene;
  const id = await scene.begin();
  await scene.deliver(stripe.pay(id));
  stripe.refund(id, 5);
  for (let n = 0; n < 250; n++) stripe.expire(stripe.begin().id);
  assertEquals(await payments.reconcile(), { payments: 251, failures: 0 });
  assertEquals(await scene.balanceCents(), 995);
});

testPayments("start searches immediately, close stops the search", async (scene) => {
  const { stripe, payments } = scene;
  stripe.pay(await scene.begin());
  payments.start();
  assert(await eventually(async () => await scene.balanceCents() === 1_000));
  await payments.close();
});

Deno.test("close does not wait for a Stripe that does not answer", () =>
  withMemoryStore((store) =>
    withScene(store, async ({ stripe, begin }) => {
      await begin();
      const never = Promise.withResolvers<void>();
      stripe.gate = () => never.promise;
      const second = await Payments.open({
        store,
        stripe: stripe.config,
        limits,
        report: () => {},
      });
      second.start();
      assert(await eventually(() => stripe.asked.length > 1));
      await second.close();
      never.resolve();
    })
  ));

/** The possible steps of one payment, in this order; impossible ones are skipped. */
interface History {
  readonly cents: number;
  readonly way: "paid" | "late" | "bounced" | "expired" | "left open";
  readonly refunds: readonly number[];
  readonly refundFails: boolean;
  readonly dispute?: "needs_response" | "won" | "lost" | "warning_closed";
}

const history: fc.Arbitrary<History> = fc.record({
  cents: fc.integer({ min: 500, max: 100_000 }),
  way: fc.constantFrom("paid", "paid", "late", "bounced", "expired", "left open"),
  refunds: fc.array(fc.integer({ min: 1, max: 240 }), { maxLength: 2 }),
  refundFails: fc.boolean(),
  dispute: fc.option(fc.constantFrom("needs_response", "won", "lost", "warning_closed"), {
    nil: undefined,
  }),
});

/** Plays a history; returns its events and the expected final balance. */
function play(
  stripe: FakeStripe,
  id: string,
  one: History,
): { events: FakeEvent[]; cents: number } {
  const { cents, way, refunds, refundFails, dispute } = one;
  if (way === "left open") return { events: [], cents: 0 };
  if (way === "expired") return { events: [stripe.expire(id)], cents: 0 };
  if (way === "bounced") return { events: [stripe.order(id), stripe.bounce(id)], cents: 0 };
  const events = way === "paid" ? [stripe.pay(id)] : [stripe.order(id), stripe.arrive(id)];
  events.push(...refunds.map((part) => stripe.refund(id, part)));
  const [failed] = refunds;
  const comesBack = refundFails && failed !== undefined;
  if (comesBack) events.push(stripe.failRefund(id, failed));
  const refunded = refunds.reduce((sum, part) => sum + part, 0) - (comesBack ? failed : 0);
  if (dispute) events.push(stripe.dispute(id, cents), stripe.decide(id, dispute));
  const lost = dispute === "needs_response" || dispute === "lost";
  return { events, cents: lost ? 0 : cents - refunded };
}

/** The deliveries of one event: none, one or several, in an arbitrary order. */
const delivery = fc.record({ times: fc.integer({ min: 0, max: 3 }), order: fc.nat() });

Deno.test("any order, repetition and loss of events yields the same balance", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { minLength: 1, maxLength: 3 }),
      fc.array(delivery, { minLength: 24, maxLength: 24 }),
      fc.boolean(),
      async (histories, deliveries, atOnce) => {
        await withMemoryStore((store) =>
          withScene(store, (scene) => playAll(scene, histories, { deliveries, atOnce }))
        );
      },
    ),
    { numRuns: 60 },
  );
});

async function playAll(
  scene: PaymentScene,
  histories: readonly History[],
  { deliveries, atOnce }: {
    readonly deliveries: readonly { readonly times: number; readonly order: number }[];
    readonly atOnce: boolean;
  },
): Promise<void> {
  const { stripe, payments, store, accountId } = scene;
  const ids: string[] = [];
  for (const { cents } of histories) ids.push(await scene.begin(cents));
  const played = histories.map((one, at) => play(stripe, ids[at], one));
  const sent = played.flatMap(({ events }) => events)
    .flatMap((event, at) => {
      const { times, order } = deliveries[at % deliveries.length];
      return Array.from({ length: times }, (_, n) => ({ event, order: order * (n + 7) % 1_009 }));
    })
    .sort((a, b) => a.order - b.order);
  if (atOnce) await Promise.all(sent.map(({ event }) => scene.deliver(event)));
  else for (const { event } of sent) await scene.deliver(event);
  assertEquals((await payments.reconcile())?.failures, 0);
  const expected = played.reduce((sum, { cents }) => sum + cents, 0);
  assertEquals(await scene.balanceCents(), expected);
  assert(await getUser(store, accountId));
}
