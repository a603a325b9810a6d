import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { startGateway, type TestGateway } from "../gateway.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { check, everywhere, show } from "./look.ts";

/** The reference page before a gateway with the embedded model; it must not complain nor ask another host. */
function referenceTest(name: string, run: (page: Page, gateway: TestGateway) => Promise<void>) {
  browserTest(`browser: reference: ${name}`, startGateway, async (gateway, browser) => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    const hosts = new Set<string>();
    page.on("request", (request) => {
      if (!request.url().startsWith("data:")) hosts.add(new URL(request.url()).origin);
    });
    await page.goto(`${gateway.base}/docs/api`);
    await page.waitForSelector(".opblock", { timeout: 10_000 });
    await run(page, gateway);
    assertEquals([complaints, [...hosts]], [[], [gateway.base]]);
  }, { sanitize: true });
}

// The structure of headings and buttons is the package's own.
referenceTest(
  "whole in both themes at every width",
  (page) => everywhere(page, () => check(page, "reference", ["color-contrast"])),
);

referenceTest("whole after it was loaded in the dark theme", async (page) => {
  await show(page, "dark", 1280);
  await page.reload();
  await page.waitForSelector(".opblock", { timeout: 10_000 });
  await everywhere(page, () => check(page, "reference_from_dark", ["color-contrast"]));
});

referenceTest("a call is tried with a key that stays in the page", async (page, gateway) => {
  await page.click(".authorize");
  const key = await page.waitForSelector(".auth-container input");
  await key?.type(gateway.key);
  await page.click(".auth-btn-wrapper .authorize");
  await page.click(".auth-btn-wrapper .btn-done");
  await page.click("#operations-chat-completions-getV1Models .opblock-summary-control");
  await (await page.waitForSelector(".try-out__btn"))?.click();
  await (await page.waitForSelector(".execute"))?.click();
  await page.waitForSelector(".live-responses-table .response-col_description pre");
  const said = await page.$eval(
    ".live-responses-table",
    (table) => table.textContent ?? "",
  );
  assertStringIncludes(said, "tessera-echo");
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert(!kept.includes(gateway.key), "the key is kept beyond the page");
  assertEquals(await page.evaluate(() => document.cookie), "");
});
