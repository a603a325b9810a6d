import { assertEquals } from "@std/assert";
import { adminTest } from "./admin_scene.ts";
import { check, show } from "./look.ts";

const destinations = ["/console/playground", "/console/connect", "/console/account"];

adminTest("on a phone the account menu leads to what has no tab", async ({ page, served }) => {
  const open = async () => {
    for (const button of await page.$$('button[popovertarget="account-menu"]')) {
      if (await button.isVisible()) return await button.click();
    }
  };
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
