import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { createBatch, grantFunds, Payments } from "../../../lib/funds/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { balanceOf, listPayments } from "../../../lib/store/money/mod.ts";
import { type FakeStripe, serveFakeStripe } from "../../funds/fake_stripe.ts";
import { limits } from "../../funds/payment_scene.ts";
import { assertRedirect, type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addKey } from "../records.ts";

/** Nano-dollars of a cent. */
const cent = 10_000_000n;

async function give(store: Store, accountId: string, cents: number, reason = "welcome") {
  const changeNanoUsd = BigInt(cents) * cent;
  const grant = { administrator, accountId, changeNanoUsd, reason };
  await grantFunds(store, { ...grant, idempotencyKey: crypto.randomUUID() }, nowMs - 60_000);
}

/** Records the spending of settled calls. */
async function use(store: Store, day: string, keyId: string, nanoUsd: bigint) {
  await store.kv.atomic()
    .sum(["allowance_spent", `wallet:${member.id}`], nanoUsd)
    .sum(["ledger_usage", member.id, day, keyId], nanoUsd)
    .commit();
}

async function makeCode(store: Store): Promise<string> {
  const draft = { name: "spring", amountNanoUsd: 2_000n * cent, count: 1, usesMax: 5 };
  const result = await createBatch(store, administrator, draft, { nowMs, codesMax: 9 });
  assert(result.type === "created");
  return result.codes[0];
}

/** Sets payments up for the console, with a Stripe of our own. */
async function withStripe(
  console: TestConsole,
  run: (stripe: FakeStripe) => Promise<void>,
): Promise<void> {
  const stripe = serveFakeStripe(() => console.clock.nowMs);
  const { store, clock } = console;
  const options = { store, stripe: stripe.config, limits, report: () => {} };
  const payments = await Payments.open({ ...options, now: () => clock.nowMs });
  const services = adminServices();
  assert(services);
  provideAdmin({ ...services, payments });
  try {
    await run(stripe);
  } finally {
    await payments.close();
    await stripe.close();
  }
}

testConsole(
  "the balance shows what is there, how long it lasts and what happened",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(member);
    const empty = textOf((await browser.get("/console/topup")).html);
    assertStringIncludes(empty, "$0.00 Billable calls are refused until you add funds.");
    assertStringIncludes(empty, "No entries yet");
    assertStringIncludes(empty, "Online payment is not set up.");

    const key = await addKey(store, { accountId: member.id, name: "laptop" });
    await give(store, member.id, 2_100);
    await use(store, "2026-11-21", key.id, 7n * 100n * cent);
    await use(store, "2026-11-20", "key_gone", 1_234n);
    const text = textOf((await browser.get("/console/topup")).html);
    assertStringIncludes(text, "$13.99 Lasts about 13 days at the rate of the last 7 days.");
    assertStringIncludes(text, "Nov 21, 2026 Usage laptop −$7.00 $14.00");
    assertStringIncludes(text, "Grant welcome +$21.00 $21.00");
    assertStringIncludes(text, "Nov 20, 2026 Usage Deleted key −$0.000001234 >−$0.01");
  },
);

testConsole("an account without limit is shown as such", async (console) => {
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get("/console/topup")).html);
  assertStringIncludes(text, "Unlimited Not billed. Usage so far: $0.00.");
});

testConsole("the history goes on page by page", async (console) => {
  for (let n = 0; n < 60; n++) await give(console.store, member.id, 1, `gift ${n}`);
  const browser = await console.signedIn(member);
  const first = await browser.get("/console/topup");
  assertStringIncludes(textOf(first.html), "Grant gift 59 +$0.01 $0.60");
  assert(!first.html.includes("gift 9 ") && !first.html.includes(">gift 9<"));
  const next = first.html.match(/\/console\/topup\?before=[^"]+/)?.[0] ?? "";
  const second = textOf((await browser.get(next)).html);
  assertStringIncludes(second, "Grant gift 9 +$0.01 $0.10");
  assertStringIncludes(second, "First page");
  const nowhere = await browser.get("/console/topup?before=0000000000.x");
  assertStringIncludes(textOf(nowhere.html), "No older entries");
  assertEquals((await browser.get("/console/topup?before=%00'")).status, 200);
});

testConsole("a code is redeemed by a form and told on the page that follows", async (console) => {
  const code = await makeCode(console.store);
  const browser = await console.signedIn(member);
  const answer = await browser.post("/console/topup/redeem", { code: ` ${code.toLowerCase()} ` });
  assertEquals(answer.status, 303);
  const to = answer.headers.get("location") ?? "";
  assertStringIncludes(textOf((await browser.get(to)).html), "Code redeemed: $20");
  assertEquals(await balanceOf(console.store, member.id), 2_000n * cent);
  const again = await browser.post("/console/topup/redeem", { code });
  assertEquals(again.status, 422);
  assertStringIncludes(textOf(again.html), "You already redeemed this code");
  const other = await console.signedIn(administrator);
  assert(!textOf((await other.get(to)).html).includes("The code was worth"));
});

testConsole(
  "a code that will not do comes back marked, and too many have to wait",
  async (console) => {
    const browser = await console.signedIn(member);
    const missing = await browser.post("/console/topup/redeem", { code: " " });
    assertEquals(missing.status, 422);
    assertStringIncludes(missing.html, "Enter a code.");
    for (let n = 0; n < 5; n++) {
      const wrong = await browser.post("/console/topup/redeem", { code: '"><b>nonsense' });
      assertEquals(wrong.status, 422);
      assertStringIncludes(
        wrong.html,
        "This code is invalid, already used or expired. Check the spelling.",
      );
      assertStringIncludes(wrong.html, 'aria-invalid="true"');
      assert(!wrong.html.includes("<b>nonsense"));
    }
    const waiting = await browser.post("/console/topup/redeem", { code: "nonsense" });
    assertEquals([waiting.status, waiting.headers.get("retry-after")], [429, "1"]);
    assertRedirect(await browser.get("/console/topup/redeem"), "/console/topup");
  },
);

testConsole("another site redeems no code and begins no payment", async (console) => {
  const code = await makeCode(console.store);
  const browser = await console.signedIn(member);
  for (const path of ["/console/topup/redeem", "/console/topup/pay"]) {
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    assertEquals((await browser.post(path, { code, amount: "10" }, headers)).status, 403);
  }
  assertEquals(await balanceOf(console.store, member.id), 0n);
});

testConsole(
  "a payment is begun, left to, come back from and credited",
  (console) =>
    withStripe(console, async (stripe) => {
      const { store } = console;
      const browser = await console.signedIn(member);
      const page = await browser.get("/console/topup");
      assertStringIncludes(textOf(page.html), "Continue to payment");
      const begun = await browser.post("/console/topup/pay", { amount: "25" }, {
        "sec-fetch-site": "same-origin",
        origin: "https://localhost",
      });
      const [{ id }] = await listPayments(store, member.id, 1);
      assertRedirect(begun, `/console/topup/pay?payment=${id}`);
      assertEquals(
        stripe.created[0].get("success_url"),
        "https://localhost/console/topup?payment={CHECKOUT_SESSION_ID}",
      );
      const leaving = await browser.get(`/console/topup/pay?payment=${id}`);
      assertEquals(leaving.headers.get("refresh"), `0; url=https://checkout.example.com/${id}`);
      assertStringIncludes(leaving.html, `href="https://checkout.example.com/${id}"`);
      const canceled = textOf((await browser.get("/console/topup?payment=canceled")).html);
      assertStringIncludes(canceled, "You were not charged.");
      assertStringIncludes(canceled, "Payments in progress $25 Not paid");
      stripe.pay(id);
      const back = textOf((await browser.get(`/console/topup?payment=${id}`)).html);
      assertStringIncludes(back, "$25 was added to your balance.");
      assertStringIncludes(back, "Payment cs_test_1 +$25.00 $25.00");
      assert(!back.includes("Payments in progress"));
      assertRedirect(
        await browser.get(`/console/topup/pay?payment=${id}`),
        `/console/topup?payment=${id}`,
      );
      const other = await console.signedIn(administrator);
      assert(!textOf((await other.get(`/console/topup?payment=${id}`)).html).includes("was added"));
      assertRedirect(await other.get(`/console/topup/pay?payment=${id}`), "/console/topup");
    }),
);

testConsole(
  "each way that a payment can end is told",
  (console) =>
    withStripe(console, async (stripe) => {
      const browser = await console.signedIn(member);
      const ends: readonly (readonly [string, (id: string) => void])[] = [
        ["is not complete yet.", () => {}],
        ["is being processed", (id) => stripe.order(id)],
        ["failed.", (id) => (stripe.order(id), stripe.bounce(id))],
        ["expired.", (id) => stripe.expire(id)],
        ["could not be added.", (id) => {
          stripe.session(id).currency = "eur";
          stripe.pay(id);
        }],
      ];
      for (const [expected, happen] of ends) {
        await browser.post("/console/topup/pay", { amount: "other", other: "12.50" });
        const [{ id }] = (await listPayments(console.store, member.id, 9)).toSorted((a, b) =>
          Number(b.id.slice(8)) - Number(a.id.slice(8))
        );
        happen(id);
        const text = textOf((await browser.get(`/console/topup?payment=${id}`)).html);
        assertStringIncludes(text, `Your payment of $12.50 ${expected}`);
      }
      assertEquals(await balanceOf(console.store, member.id), 0n);
    }),
);

testConsole(
  "an amount that cannot be paid, and a Stripe that does not answer, are told",
  (console) =>
    withStripe(console, async (stripe) => {
      const browser = await console.signedIn(member);
      for (const other of ["", "4.99", "1000.01", "ten", "-5", "12.345"]) {
        const refused = await browser.post("/console/topup/pay", { amount: "other", other });
        assertEquals(refused.status, 422, other);
        assertStringIncludes(refused.html, "Enter an amount from $5 to $1,000");
        assertStringIncludes(refused.html, 'id="other-amount-fault"');
      }
      stripe.failure = 403;
      const failed = await browser.post("/console/topup/pay", { amount: "10" });
      assertEquals(failed.status, 503);
      assertStringIncludes(textOf(failed.html), "You were not charged. Try again shortly.");
      assertEquals(await listPayments(console.store, member.id, 9), []);
    }),
);

testConsole(
  "the balance tells where it came from, what is held, and until when it lasts",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(member);
    await give(store, member.id, 2_100);
    await use(store, "2026-11-21", "key_1", 7n * 100n * cent);
    await store.kv.set(["allowance", `wallet:${member.id}`], { version: 1, allotted: 750n * cent });
    await browser.post("/console/topup/redeem", { code: await makeCode(store) });
    const text = textOf((await browser.get("/console/topup")).html);
    for (
      const part of [
        "Codes $20.00",
        "Grants $21.00",
        "Reserved for calls in progress $0.50",
        "Used so far $7.00",
        "Until about Dec 25, 2026.",
      ]
    ) assertStringIncludes(text, part);
  },
);

testConsole("the history is filtered by kind, and exported as it is filtered", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(member);
  for (let n = 0; n < 55; n++) await give(store, member.id, 100 + n, `=grant ${n}`);
  await use(store, "2026-11-21", "key_1", 3n);
  await give(store, administrator.id, 77_777, "somebody else's");
  const page = await browser.get("/console/topup?kind=grant");
  assertEquals(page.html.match(/>Grant<\/td>/g)?.length, 50);
  assert(!page.html.includes(">Usage</td>"));
  const older = page.html.match(/\/console\/topup\?kind=grant&amp;before=[^"]+/)?.[0] ?? "";
  const next = await browser.get(older.replaceAll("&amp;", "&"));
  assertEquals(next.html.match(/>Grant<\/td>/g)?.length, 5);
  const none = textOf((await browser.get("/console/topup?kind=refund")).html);
  assertStringIncludes(none, "No entries match the filter");
  const { html: csv, headers } = await browser.get("/console/topup/export?kind=usage");
  assertStringIncludes(headers.get("content-type") ?? "", "text/csv");
  assertEquals(csv.trim().split("\r\n").length, 2);
  assertMatch(csv, /,usage,Usage of 2026-11-21,key_1,-0\.000000003,\d/);
  const all = (await browser.get("/console/topup/export")).html;
  assertEquals(all.trim().split("\r\n").length, 57);
  assertStringIncludes(all, "'=grant 54");
  assert(!all.includes("somebody"));
});
