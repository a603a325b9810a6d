import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { addKey } from "../../console/records.ts";
import { check, show } from "./look.ts";
import { stock } from "./stocked_console.ts";
import { signedInTest } from "./usage_pages.ts";

const lists = [
  "/console/token",
  "/console/admin/audit",
  "/console/admin/codes",
  "/console/pricing",
  "/console/admin/upstreams",
  "/console/admin/users",
];

signedInTest("filters are a sheet on a phone, and in sight elsewhere", async (page, served) => {
  await stock(served);
  for (const list of lists) {
    await show(page, "light", 1280);
    await page.goto(served.origin + list);
    assertEquals(await inSight(page), { opener: false, form: true }, list);
    await show(page, "light", 390);
    assertEquals(await inSight(page), { opener: true, form: false }, list);
    await page.click(".sheet-opener");
    assertEquals(await inSight(page), { opener: true, form: true }, list);
    await page.keyboard.press("Escape");
    assertEquals(await inSight(page), { opener: true, form: false }, list);
    assertStringIncludes(await focused(page), "Filters", "the focus returns");
  }
});

signedInTest("filters are used on a phone without a script", async (page, served) => {
  await addKey(served.console.store, { name: "prod-api" });
  await addKey(served.console.store, { name: "laptop" });
  await page.setJavaScriptEnabled(false);
  await show(page, "light", 390);
  await page.goto(`${served.origin}/console/token`);
  await page.click(".sheet-opener");
  await page.type(".sheet [name=q]", "lap");
  await Promise.all([page.waitForNavigation(), page.click(".sheet [type=submit]")]);
  assertEquals(new URL(page.url()).searchParams.get("q"), "lap");
  assertEquals(await page.$eval(".badge", (badge) => badge.textContent), "1");
});

signedInTest("the sheets are whole in both themes", async (page, served) => {
  await stock(served);
  await show(page, "light", 390);
  for (const [at, list] of [...lists, "/console/connect"].entries()) {
    await page.goto(served.origin + list);
    await page.click(".sheet-opener");
    await check(page, `sheet_${at}`);
  }
});

async function inSight(page: Page): Promise<{ opener: boolean; form: boolean }> {
  return await page.evaluate(() => ({
    opener: document.querySelector(".sheet-opener")?.checkVisibility() ?? false,
    form: document.querySelector("form.sheet")?.checkVisibility() ?? false,
  }));
}

async function focused(page: Page): Promise<string> {
  return await page.evaluate(() => document.activeElement?.textContent ?? "");
}
