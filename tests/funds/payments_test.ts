import { assert, assertEquals, assertRejects } from "@std/assert";
import { paymentEventTypes } from "../../lib/funds/mod.ts";
import { listEntries, listPayments, listUnsettledPayments } from "../../lib/store/money/mod.ts";
import { deleteUser, getUser } from "../../lib/store/users/mod.ts";
import { signed } from "./fake_stripe.ts";
import { testPayments } from "./payment_scene.ts";

testPayments("a payment is stored before the payer gets its URL", async (scene) => {
  const { store, stripe, accountId } = scene;
  const id = await scene.begin(1_250);
  const [payment] = await listPayments(store, accountId, 10);
  assertEquals([payment.id, payment.status, payment.amountNanoUsd], [id, "open", 12_500_000_000n]);
  assertEquals(payment.url, `https://checkout.example.com/${id}`);
  assertEquals(await listUnsettledPayments(store), [id]);
  const [form] = stripe.created;
  assertEquals(form.get("client_reference_id"), accountId);
  assertEquals(form.get("line_items[0][price_data][unit_amount]"), "1250");
  assertEquals(
    form.get("success_url"),
    "http://localhost/console/topup?payment={CHECKOUT_SESSION_ID}",
  );
  assertEquals(form.get("cancel_url"), "http://localhost/console/topup?payment=canceled");
  assertEquals(await scene.balanceCents(), 0);
});

testPayments(
  "a payment is credited once, however often Stripe delivers its events",
  async (scene) => {
    const { store, stripe, accountId } = scene;
    const event = stripe.pay(await scene.begin());
    await Promise.all(Array.from({ length: 8 }, () => scene.deliver(event)));
    await scene.deliver(event);
    assertEquals(await scene.balanceCents(), 1_000);
    const { entries } = await listEntries(store, accountId, { limit: 10 });
    assertEquals(entries.map(({ type, actor, reference }) => [type, actor, reference]), [
      ["payment", "stripe", "cs_test_1"],
    ]);
    assertEquals(await listUnsettledPayments(store), []);
    assertEquals(scene.reports.filter((one) => one === "info: A payment was credited").length, 1);
  },
);

testPayments("the credited amount is the one that Stripe reports as paid", async (scene) => {
  const id = await scene.begin(1_000);
  scene.stripe.session(id).amount_total = 700;
  await scene.deliver(scene.stripe.pay(id));
  assertEquals(await scene.balanceCents(), 700);
});

testPayments(
  "an amount out of bounds, or finer than a cent, starts no payment",
  async (scene) => {
    const user = await getUser(scene.store, scene.accountId);
    assert(user);
    const wanted = { user, returnUrl: "http://localhost/x", language: "en" } as const;
    for (const amountNanoUsd of [0n, -5n, 4_990_000_000n, 1_000_010_000_000n, 5_000_000_001n]) {
      const result = await scene.payments.begin({ ...wanted, amountNanoUsd });
      assertEquals(result, { type: "invalid", message: "Enter an amount from $5 to $1000" });
    }
    assertEquals(scene.stripe.asked, []);
  },
);

testPayments("the open payments of an account are limited", async (scene) => {
  for (let n = 0; n < 20; n++) await scene.begin();
  const user = await getUser(scene.store, scene.accountId);
  assert(user);
  const wanted = { user, amountNanoUsd: 5_000_000_000n, returnUrl: "", language: "en" } as const;
  assertEquals((await scene.payments.begin(wanted)).type, "wait");
  scene.clock.nowMs += 3_600_001;
  assertEquals((await scene.payments.begin(wanted)).type, "begun");
});

testPayments("a delayed payment is credited when it succeeds", async (scene) => {
  const { stripe, store, accountId } = scene;
  const [good, bad] = [await scene.begin(), await scene.begin(2_000)];
  for (const id of [good, bad]) await scene.deliver(stripe.order(id));
  const before = await listPayments(store, accountId, 10);
  assertEquals(before.map(({ status }) => status), ["processing", "processing"]);
  assertEquals(await scene.balanceCents(), 0);
  await scene.deliver(stripe.bounce(bad));
  await scene.deliver(stripe.arrive(good));
  const after = await listPayments(store, accountId, 10);
  assertEquals(after.map(({ status }) => status).sort(), ["failed", "paid"]);
  assertEquals(await scene.balanceCents(), 1_000);
});

testPayments(
  "a session that expired credits nothing, nor takes back what was paid",
  async (scene) => {
    const { stripe } = scene;
    const [left, late] = [await scene.begin(), await scene.begin()];
    await scene.deliver(stripe.expire(left));
    assertEquals(await scene.balanceCents(), 0);
    await scene.deliver(stripe.pay(late));
    const expiry = {
      ...stripe.events[0],
      data: { object: { ...stripe.session(late), status: "expired" } },
    };
    await scene.deliver(expiry);
    assertEquals(await scene.balanceCents(), 1_000);
  },
);

testPayments(
  "refunds are taken out by their sum, also before the payment is heard of",
  async (scene) => {
    const { stripe, store, accountId } = scene;
    const id = await scene.begin();
    const paid = stripe.pay(id);
    const [first, second] = [stripe.refund(id, 300), stripe.refund(id, 200)];
    await scene.deliver(second);
    assertEquals(await scene.balanceCents(), 500);
    await scene.deliver(paid);
    await scene.deliver(first);
    assertEquals(await scene.balanceCents(), 500);
    await scene.deliver(stripe.refund(id, 500));
    assertEquals(await scene.balanceCents(), 0);
    const { entries } = await listEntries(store, accountId, { limit: 10 });
    assertEquals(entries.map(({ type, amountNanoUsd }) => [type, amountNanoUsd]), [
      ["refund", 5_000_000_000n],
      ["refund", 5_000_000_000n],
      ["payment", 10_000_000_000n],
    ]);
    await scene.deliver(stripe.failRefund(id, 500));
    assertEquals(await scene.balanceCents(), 500);
  },
);

testPayments(
  "a dispute debits the payment until it is won; an inquiry debits nothing",
  async (scene) => {
    const { stripe, store } = scene;
    const id = await scene.begin();
    await scene.deliver(stripe.pay(id));
    await scene.deliver(stripe.dispute(id, 1_000, "warning_needs_response"));
    assertEquals(await scene.balanceCents(), 1_000);
    await scene.deliver(stripe.decide(id, "needs_response"));
    assertEquals(await scene.balanceCents(), 0);
    assertEquals(await listUnsettledPayments(store), [id]);
    await scene.deliver(stripe.decide(id, "won"));
    assertEquals(await scene.balanceCents(), 1_000);
    assertEquals(await listUnsettledPayments(store), []);
    await scene.deliver(stripe.dispute(id, 400));
    await scene.deliver(stripe.decide(id, "lost"));
    assertEquals(await scene.balanceCents(), 600);
  },
);

testPayments("a refund of spent money leaves a negative balance", async (scene) => {
  const { stripe, store, accountId } = scene;
  const id = await scene.begin();
  await scene.deliver(stripe.pay(id));
  await store.kv.atomic()
    .sum(["allowance_spent", `wallet:${accountId}`], 9_000_000_000n)
    .sum(["ledger_usage", accountId, "2026-11-21", "key_1"], 9_000_000_000n)
    .commit();
  await scene.deliver(stripe.refund(id, 1_000));
  assertEquals(await scene.balanceCents(), -900);
});

testPayments(
  "a payment of another application is acknowledged, logged and not credited",
  async (scene) => {
    const { stripe, accountId } = scene;
    const { id } = stripe.begin({ client_reference_id: accountId });
    await scene.deliver(stripe.pay(id));
    await scene.deliver(stripe.refund(id, 100));
    await scene.deliver({ ...stripe.events[0], type: "customer.created", data: { object: {} } });
    assertEquals(await scene.balanceCents(), 0);
    assertEquals(scene.reports, [
      "info: Stripe reported a payment that was not started here",
      "info: Stripe reported a payment that was not started here",
    ]);
  },
);

testPayments(
  "a payment of a deleted account, or in another currency, is reported and not credited",
  async (scene) => {
    const { stripe, store, accountId } = scene;
    const [foreign, gone] = [await scene.begin(), await scene.begin()];
    stripe.session(foreign).currency = "eur";
    await scene.deliver(stripe.pay(foreign));
    await deleteUser(store, accountId);
    await scene.deliver(stripe.pay(gone));
    await scene.deliver(stripe.refund(gone, 1_000));
    assertEquals(await scene.balanceCents(), 0);
    const cannot = "error: A payment cannot be credited: refund it";
    assertEquals(scene.reports, [cannot, cannot]);
    assertEquals((await listPayments(store, accountId, 9)).map(({ status }) => status), [
      "unclaimed",
      "unclaimed",
    ]);
  },
);

testPayments("a webhook with a foreign signature, or of yesterday, is refused", async (scene) => {
  const { payments, clock, stripe } = scene;
  const body = JSON.stringify(stripe.pay(await scene.begin()));
  const headers = [
    "",
    "nonsense",
    "t=1,v1=00",
    await signed(body, clock.nowMs, "whsec_other"),
    await signed(`${body} `, clock.nowMs),
    await signed(body, clock.nowMs - 301_000),
  ];
  for (const header of headers) {
    assertEquals((await payments.takeWebhook(body, header)).type, "refused", header);
  }
  assertEquals(await scene.balanceCents(), 0);
  assertEquals(
    (await payments.takeWebhook(body, await signed(body, clock.nowMs - 299_000))).type,
    "taken",
  );
  assertEquals(await scene.balanceCents(), 1_000);
});

testPayments("a webhook that cannot be settled rejects, and is redelivered", async (scene) => {
  const { stripe } = scene;
  const event = stripe.pay(await scene.begin());
  stripe.failure = 403;
  await assertRejects(() => scene.deliver(event));
  assertEquals(await scene.balanceCents(), 0);
  stripe.failure = undefined;
  await scene.deliver(event);
  assertEquals(await scene.balanceCents(), 1_000);
});

testPayments("the page that the payer returns to reads the payment from Stripe", async (scene) => {
  const { stripe, payments, store, accountId } = scene;
  const id = await scene.begin();
  const user = await getUser(store, accountId);
  assert(user);
  assertEquals((await payments.find(user, id))?.status, "open");
  stripe.pay(id);
  stripe.failure = 403;
  assertEquals((await payments.find(user, id))?.status, "open");
  stripe.failure = undefined;
  assertEquals((await payments.find(user, id))?.status, "paid");
  assertEquals(await scene.balanceCents(), 1_000);
  assertEquals(await payments.find({ ...user, id: "usr_other" }, id), undefined);
  assertEquals(await payments.find(user, "cs_none"), undefined);
  const asked = stripe.asked.length;
  assertEquals((await payments.find(user, id))?.status, "paid");
  assertEquals(stripe.asked.length, asked);
});

testPayments(
  "one who asks with what was true before does not undo what is true now",
  async (scene) => {
    const { stripe } = scene;
    const id = await scene.begin();
    await scene.deliver(stripe.pay(id));
    const released = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let first = true;
    stripe.gate = async () => {
      if (!first) return;
      first = false;
      asked.resolve();
      await released.promise;
    };
    const slow = scene.deliver(stripe.refund(id, 100));
    await asked.promise;
    await scene.deliver(stripe.refund(id, 200));
    assertEquals(await scene.balanceCents(), 700);
    released.resolve();
    await slow;
    assertEquals(await scene.balanceCents(), 700);
  },
);

Deno.test("the documents list all events to subscribe to", async () => {
  const text = await Deno.readTextFile(
    new URL("../../docs/how-to/give-funds.md", import.meta.url),
  );
  for (const type of paymentEventTypes) assert(text.includes(`\`${type}\``), type);
});

testPayments(
  "a check says whether Stripe answers and takes the key",
  async ({ payments, stripe }) => {
    assertEquals([payments.isTestMode, await payments.check()], [true, "delivered"]);
    stripe.failure = 401;
    assertEquals(await payments.check(), "refused");
    stripe.failure = 500;
    assertEquals(await payments.check(), "unreachable");
  },
);
