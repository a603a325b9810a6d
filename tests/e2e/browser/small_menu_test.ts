import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { adminTest } from "./admin_scene.ts";
import { check, show } from "./look.ts";

const destinations = [
  "/console/playground",
  "/console/connect",
  "/console/account",
  "/console/admin/webhooks",
];

adminTest("on a phone the tab More leads to what has no tab", async ({ page, served }) => {
  const open = () => openMenu(page);
  await show(page, "light", 390);
  await page.goto(`${served.origin}/console`);
  await open();
  await check(page, "account_menu");
  for (const path of destinations) {
    await page.goto(`${served.origin}/console`);
    await open();
    const going = page.click(`#account-menu a[href="${path}"]`);
    await Promise.all([page.waitForNavigation(), going]);
    assertEquals(new URL(page.url()).pathname, path);
  }
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${served.origin}/console`);
  await open();
  const shown = (link: Element) => link.checkVisibility();
  assertEquals(await page.$eval('#account-menu a[href="/console/connect"]', shown), false);
});

adminTest(
  "on the smallest phone the account menu ends with the way out",
  async ({ page, served }) => {
    await page.setViewport({ width: 320, height: 568 });
    await page.goto(`${served.origin}/console`);
    await openMenu(page);
    await Promise.all([
      page.waitForNavigation({ timeout: 10_000 }),
      page.click('#account-menu form[action="/logout"] button'),
    ]);
    assertEquals(new URL(page.url()).pathname, "/login");
  },
);

async function openMenu(page: Page): Promise<void> {
  for (const button of await page.$$('button[popovertarget="account-menu"]')) {
    if (await button.isVisible()) return await button.click();
  }
}
