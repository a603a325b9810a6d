import { assert } from "@std/assert";
import type { Browser, Page } from "puppeteer-core";
import { startSession } from "../../../lib/accounts/mod.ts";
import { provideConsole } from "../../../lib/console/mod.ts";
import { consoleServices } from "../../../lib/console/session/services.ts";
import { Payments } from "../../../lib/funds/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator, member, nowMs } from "../../console/people.ts";
import { type FakeStripe, serveFakeStripe } from "../../funds/fake_stripe.ts";
import { limits } from "../../funds/payment_scene.ts";
import { findChromium, launch } from "./chromium.ts";
import { serveConsole, type ServedConsole } from "./served_console.ts";

const chromium = findChromium();

/** A member at the wallet, where payments go to a Stripe of our own. */
export interface Scene {
  readonly served: ServedConsole;
  readonly stripe: FakeStripe;
  /** A member is signed in. */
  readonly page: Page;
}

/** Runs a test in a browser in which a member is signed in. */
export function walletTest(name: string, test: (scene: Scene) => Promise<void>): void {
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

/** Answers in place of Stripe's checkout page. Returns the address that the browser opened. */
export async function interceptCheckout(page: Page): Promise<() => string | undefined> {
  let left: string | undefined;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (!request.url().startsWith("https://checkout.example.com/")) return request.continue();
    left = request.url();
    return request.respond({ status: 200, contentType: "text/html", body: "<h1>Checkout</h1>" });
  });
  return () => left;
}
