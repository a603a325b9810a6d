import { assertEquals, assertStringIncludes } from "@std/assert";
import { balanceOf } from "../../../../lib/store/money/mod.ts";
import { callIdAt } from "../../../console/calls/call_id.ts";
import { member } from "../../../console/people.ts";
import { addCall } from "../../../console/records.ts";
import { interceptCheckout, walletTest } from "../wallet_scene.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";

walletTest("J5: funds are added in 3 clicks up to Checkout", async ({ page, served, stripe }) => {
  const { origin, console: { store } } = served;
  await addCall(store, { ...callIdAt(60_000, 1), accountId: member.id });
  const left = await interceptCheckout(page);
  await page.goto(`${origin}/console`);
  const person = new Counted(page);
  await person.follow('.strip a[href="/console/topup"]');
  await person.click('label:has(input[name="amount"][value="25"])');
  await Promise.all([
    page.waitForResponse((response) => response.url().startsWith("https://checkout.")),
    person.click('form[action$="pay"] button'),
  ]);
  assertTarget("J5 top up, up to Checkout", person);

  const id = new URL(left() ?? "").pathname.slice(1);
  assertEquals(stripe.session(id).amount_total, 2_500);
  await page.goto(`${origin}/console/topup?payment=${id}`);
  const textOf = () => page.$eval("main", (main) => main.textContent ?? "");
  assertEquals((await textOf()).includes("was added to your balance"), false);
  stripe.pay(id);
  await page.goto(`${origin}/console/topup?payment=${id}`);
  assertStringIncludes(await textOf(), "$25 was added to your balance.");
  assertEquals(await balanceOf(store, member.id), 25_000_000_000n);
});
