import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { createBatch } from "../../../lib/funds/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { administrator, member, nowMs } from "../../console/people.ts";
import { addKey } from "../../console/records.ts";
import { check, everywhere } from "./look.ts";
import { interceptCheckout, walletTest } from "./wallet_scene.ts";

const cent = 10_000_000n;

async function makeCode(store: Store): Promise<string> {
  const draft = { name: "spring", amountNanoUsd: 2_000n * cent, count: 1, usesMax: 1 };
  const result = await createBatch(store, administrator, draft, { nowMs, codesMax: 1 });
  assert(result.type === "created");
  return result.codes[0];
}

const textOf = (page: Page) => page.$eval("main", (main) => main.textContent ?? "");

walletTest("a code is redeemed and a payment made without a script", async (scene) => {
  const { page, served, stripe } = scene;
  const code = await makeCode(served.console.store);
  await page.setJavaScriptEnabled(false);
  const left = await interceptCheckout(page);
  await page.goto(`${served.origin}/console/topup`);
  await page.type("#code", code.toLowerCase());
  await Promise.all([page.waitForNavigation(), page.click('form[action$="redeem"] button')]);
  assertStringIncludes(await textOf(page), "Code redeemed: $20");

  assertEquals(await page.$eval("#other-amount", (input) => input.checkVisibility()), false);
  await page.click('input[value="other"]');
  assertEquals(await page.$eval("#other-amount", (input) => input.checkVisibility()), true);
  await page.type("#other-amount", "12.50");
  await Promise.all([
    page.waitForResponse((response) => response.url().startsWith("https://checkout.")),
    page.click('form[action$="pay"] button'),
  ]);
  const id = new URL(left() ?? "").pathname.slice(1);
  stripe.pay(id);
  await page.goto(`${served.origin}/console/topup?payment=${id}`);
  assertStringIncludes(await textOf(page), "$12.50 was added to your balance.");
  assertEquals(await page.$eval(".figure", (figure) => figure.textContent), "$32.50");
});

walletTest("the wallet is whole in both themes at every width", async (scene) => {
  const { page, served: { origin, console: { store } }, stripe } = scene;
  const key = await addKey(store, { accountId: member.id, name: "W".repeat(60) });
  await page.goto(`${origin}/console/topup`);
  await page.type("#code", await makeCode(store));
  await Promise.all([page.waitForNavigation(), page.click('form[action$="redeem"] button')]);
  await store.kv.atomic()
    .sum(["allowance_spent", `wallet:${member.id}`], 1_234_567_891n)
    .sum(["ledger_usage", member.id, "2026-11-21", key.id], 1_234_567_891n)
    .commit();
  await interceptCheckout(page);
  for (const happen of [() => {}, (id: string) => stripe.order(id)]) {
    await page.goto(`${origin}/console/topup`);
    await Promise.all([
      page.waitForResponse((response) => response.url().startsWith("https://checkout.")),
      page.click('form[action$="pay"] button'),
    ]);
    happen([...stripe.sessionIds()].at(-1) ?? "");
  }
  const [open = "", ordered = ""] = stripe.sessionIds();
  await everywhere(page, async () => {
    for (const [name, payment] of Object.entries({ open, ordered, canceled: "canceled" })) {
      await page.goto(`${origin}/console/topup?payment=${payment}`);
      await check(page, `wallet_${name}`);
    }
    await page.type("#code", "7K3QX");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    await check(page, "wallet_fault");
  });
});
