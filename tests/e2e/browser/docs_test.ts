import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { startGateway, type TestGateway } from "../gateway.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { check, checkPages, picture, show } from "./look.ts";

/** The documents in a browser, read without an account. */
function docsTest(name: string, run: (page: Page, gateway: TestGateway) => Promise<void>) {
  browserTest(`browser: docs: ${name}`, startGateway, async (gateway, browser) => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await run(page, gateway);
    // Switched-off scripts are counted as blocked.
    assertEquals(complaints.filter((complaint) => !complaint.endsWith(".js: csp")), []);
  }, { sanitize: true });
}

const looked = {
  docs_home: "/docs",
  docs_page: "/docs/how-to/add-an-upstream",
  docs_tables: "/docs/reference/configuration",
  docs_search: "/docs/search?q=trusted+proxy",
} as const;

docsTest(
  "pages in both themes at every width",
  (page, { base }) => checkPages(page, base, looked, { waitUntil: "networkidle0" }),
);

docsTest("a search shows matches as one types, and leads to a section", async (page, { base }) => {
  await show(page, "light", 1280);
  await page.goto(`${base}/docs`, { waitUntil: "networkidle0" });
  await page.keyboard.press("/");
  await page.keyboard.type("trusted proxy");
  await page.waitForSelector(".found a");
  await check(page, "docs_found");
  await page.keyboard.press("ArrowDown");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assertStringIncludes(await page.$eval("h1", (title) => title.textContent ?? ""), "proxy");
});

docsTest("everything works without a script", async (page, { base }) => {
  await page.setJavaScriptEnabled(false);
  await show(page, "light", 390);
  await page.goto(`${base}/docs`);
  await page.click(".sheet-opener");
  await page.waitForSelector("#docs-nav:popover-open");
  await picture(page, "docs_menu_light_390");
  await page.click('#docs-nav a[href="/docs/start/first-call"]');
  await page.waitForSelector(".doc-text pre");
  await page.type(".docs-search input", "rotate");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert(await page.$('.matches a[href^="/docs/how-to/rotate-keys"]') !== null);
});
