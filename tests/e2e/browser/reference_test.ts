import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { startGateway, type TestGateway } from "../gateway.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { checkPages, show } from "./look.ts";

/** The API reference in a browser; it must not complain nor ask another host. */
function referenceTest(name: string, run: (page: Page, gateway: TestGateway) => Promise<void>) {
  browserTest(`browser: reference: ${name}`, startGateway, async (gateway, browser) => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    const hosts = new Set<string>();
    page.on("request", (request) => {
      if (!request.url().startsWith("data:")) hosts.add(new URL(request.url()).origin);
    });
    await run(page, gateway);
    const unexpected = complaints.filter((complaint) => !complaint.endsWith(".js: csp"));
    assertEquals([unexpected, [...hosts]], [[], [gateway.base]]);
  }, { sanitize: true });
}

const looked = {
  reference: "/docs/api",
  reference_gateway: "/docs/api/generate-content",
  reference_keys: "/docs/api/management-keys",
  reference_events: "/docs/api/events",
} as const;

referenceTest(
  "pages in both themes at every width",
  (page, { base }) => checkPages(page, base, looked, { waitUntil: "networkidle0" }),
);

referenceTest(
  "is light, and works without a script",
  async (page, { base }) => {
    await page.setJavaScriptEnabled(false);
    await show(page, "light", 390);
    await page.goto(`${base}/docs/api`);
    const bytes = await page.evaluate(() =>
      ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
        .reduce((sum, entry) => sum + Number(Object(entry).encodedBodySize), 0)
    );
    assert(bytes > 10_000 && bytes < 200_000, `${bytes} bytes`);
    await page.click('.operations a[href="/docs/api/management-keys#post-api-v1-keys"]');
    await page.waitForSelector("#post-api-v1-keys");
    await page.click("#post-api-v1-keys .schema summary");
    const fields = await page.$eval("#post-api-v1-keys details[open]", (one) => one.textContent);
    assertStringIncludes(fields ?? "", "requests_per_minute");
  },
);
