import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Browser, Page } from "puppeteer-core";
import { startSession } from "../../../lib/accounts/mod.ts";
import { provideConsole } from "../../../lib/console/mod.ts";
import { consoleServices } from "../../../lib/console/services.ts";
import { createBatch, Payments } from "../../../lib/funds/mod.ts";
import { createUser, type Store } from "../../../lib/store/mod.ts";
import { addKey, administrator, member, nowMs } from "../../console/console.ts";
import { type FakeStripe, serveFakeStripe } from "../../funds/fake_stripe.ts";
import { limits } from "../../funds/payment_scene.ts";
import { findChromium, launch } from "./chromium.ts";
import { check, show, themes, widths } from "./look.ts";
import { serveConsole, type ServedConsole } from "./served_console.ts";

const chromium = findChromium();
const cent = 10_000_000n;

interface Scene {
  readonly served: ServedConsole;
  readonly stripe: FakeStripe;
  /** A member is signed in. */
  readonly page: Page;
}

function walletTest(name: string, test: (scene: Scene) => Promise<void>): void {
  Deno.test({
    name: `browser: ${name}`,
    ignore: !chromium,
    sanitizeOps: false, // the browser's own connection and the passwords' worker outlive a test
    sanitizeResources: false,
    fn: async () => {
      const served = await serveConsole();
      const { store, clock } = served.console;
      const stripe = serveFakeStripe(() => clock.nowMs);
      const now = () => clock.nowMs;
      const payments = new Payments({
        store,
        stripe: stripe.config,
        limits,
        now,
        report: () => {},
      });
      const services = consoleServices();
      assert(services);
      provideConsole({ ...services, payments });
      const browser = await launch(chromium ?? "");
      try {
        await test({ served, stripe, page: await signedIn(browser, served) });
      } finally {
        await browser.close();
        await payments.close();
        await stripe.close();
        await served.close();
      }
    },
  });
}

async function signedIn(browser: Browser, { console: { store } }: ServedConsole): Promise<Page> {
  for (const one of [administrator, member]) await createUser(store, one);
  const { token } = await startSession(store, member, { nowMs });
  const cookie = { value: token, domain: "localhost", path: "/", httpOnly: true };
  await browser.setCookie(
    { ...cookie, name: "__Host-tessera", secure: true },
    { ...cookie, name: "tessera" },
  );
  return await browser.newPage();
}

async function makeCode(store: Store): Promise<string> {
  const draft = { name: "spring", amountNanoUsd: 2_000n * cent, count: 1, usesMax: 1 };
  const result = await createBatch(store, administrator, draft, { nowMs, codesMax: 1 });
  assert(result.type === "created");
  return result.codes[0];
}

/** Stands in for Stripe's own page, which the browser leaves for. */
async function interceptCheckout(page: Page): Promise<() => string | undefined> {
  let left: string | undefined;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (!request.url().startsWith("https://checkout.example.com/")) return request.continue();
    left = request.url();
    return request.respond({ status: 200, contentType: "text/html", body: "<h1>Checkout</h1>" });
  });
  return () => left;
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
  assertStringIncludes(await textOf(page), "The code was worth $20.");

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
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      for (const [name, payment] of Object.entries({ open, ordered, canceled: "canceled" })) {
        await page.goto(`${origin}/console/topup?payment=${payment}`);
        await check(page, `wallet_${name}_${theme}_${width}`);
      }
      await page.type("#code", "7K3QX");
      await Promise.all([page.waitForNavigation(), page.click('form[action$="redeem"] button')]);
      await check(page, `wallet_fault_${theme}_${width}`);
    }
  }
});
