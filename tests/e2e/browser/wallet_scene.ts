import { assert } from "@std/assert";
import type { Page } from "puppeteer-core";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { Payments } from "../../../lib/funds/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator, member } from "../../console/people.ts";
import { type FakeStripe, serveFakeStripe } from "../../funds/fake_stripe.ts";
import { limits } from "../../funds/payment_scene.ts";
import { browserTest } from "./chromium.ts";
import { serveConsole, type ServedConsole, signIn } from "./served_console.ts";

/** A member at the wallet, where payments go to a Stripe of our own. */
export interface Scene {
  readonly served: ServedConsole;
  readonly stripe: FakeStripe;
  /** A member is signed in. */
  readonly page: Page;
}

/** Runs a test in a browser in which a member is signed in. */
export function walletTest(name: string, test: (scene: Scene) => Promise<void>): void {
  browserTest(`browser: ${name}`, serveWallet, async ({ served, stripe }, browser) => {
    await createUser(served.console.store, administrator);
    await test({ served, stripe, page: await signIn(browser, served, member) });
  });
}

async function serveWallet() {
  const served = await serveConsole();
  const { store, clock } = served.console;
  const now = () => clock.nowMs;
  const stripe = serveFakeStripe(now);
  const { config } = stripe;
  const payments = await Payments.open({ store, stripe: config, limits, now, report: () => {} });
  const services = adminServices();
  assert(services);
  provideAdmin({ ...services, payments });
  return {
    served,
    stripe,
    [Symbol.asyncDispose]: async () => {
      await payments.close();
      await stripe.close();
      await served[Symbol.asyncDispose]();
    },
  };
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
