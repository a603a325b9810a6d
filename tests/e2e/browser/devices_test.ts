import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { firstTokens, startDevice } from "../../../lib/accounts/mod.ts";
import { noteApiKeyUse } from "../../../lib/store/api_keys/mod.ts";
import { nowMs } from "../../console/people.ts";
import { addKey } from "../../console/records.ts";
import { check, picture, show } from "./look.ts";
import type { ServedConsole } from "./served_console.ts";
import { signedInTest } from "./usage_pages.ts";

const path = "/console/account/devices";

for (const language of ["en", "zh-CN"]) {
  signedInTest(
    `the page of devices is whole in ${language}, in each state`,
    async (page, served) => {
      const { origin, console: { store, clock } } = served;
      await page.setExtraHTTPHeaders({ "accept-language": language });
      const look = (name: string) => lookAtWidths(page, `${language}_devices_${name}`);
      await page.goto(origin + path);
      await look("none");
      await addDevices(served);
      const { userCode } = await startDevice(store, clock.nowMs);
      await page.goto(`${origin}${path}?user_code=${userCode}`);
      await look("code");
      await submit(page, "0000-0000-0000");
      await look("wrong_code");
      for (let n = 0; n < 5; n++) await submit(page, "0000-0000-0000");
      await look("wait");
      clock.nowMs += 60_000;
      await submit(page, userCode);
      assertEquals(page.url(), `${origin}${path}?done=admitted`);
      await look("signed_in");
      await page.goto(`${origin}/console/token`);
      await look("in_keys");
    },
  );
}

signedInTest("a device is signed in and out without a script", async (page, served) => {
  const { origin, console: { store, directory, clock } } = served;
  await page.setJavaScriptEnabled(false);
  for (const width of [390, 1440]) {
    const { userCode, deviceCode } = await startDevice(store, clock.nowMs);
    await show(page, "light", width);
    await page.goto(`${origin}${path}?user_code=${userCode}`);
    await Promise.all([page.waitForNavigation(), page.click("main button.primary")]);
    assertStringIncludes(await page.content(), "Signed in. You can return to the program.");
    await picture(page, `devices_without_script_${width}`);
    const deps = { store, directory, nowMs: clock.nowMs };
    assert(typeof await firstTokens(deps, deviceCode) === "object");
    await Promise.all([page.waitForNavigation(), page.click("main table button")]);
    assertStringIncludes(await page.content(), "No device is signed in.");
  }
});

async function lookAtWidths(page: Page, name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await show(page, "light", width);
    await check(page, name);
  }
}

async function submit(page: Page, code: string): Promise<void> {
  await page.$eval("#code", (input) => (input as HTMLInputElement).value = "");
  await page.type("#code", code);
  await Promise.all([page.waitForNavigation(), page.click("main button.primary")]);
}

/** One device that was used, and one with a long name that was not. */
async function addDevices({ console: { store } }: ServedConsole): Promise<void> {
  const device = { refreshDigest: "x", accessEndsAtMs: nowMs + 3_600_000 };
  await addKey(store, { id: "key_1", name: "Claude Code 7K3Q-0H2M-XR9B", device });
  const name = "The workstation in the meeting room on the third floor, left";
  await addKey(store, { id: "key_2", name, device });
  await noteApiKeyUse(store, new Map([["key_1", nowMs - 600_000]]));
}
