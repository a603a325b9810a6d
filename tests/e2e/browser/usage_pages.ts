import { assertEquals } from "@std/assert";
import type { Browser, Page } from "puppeteer-core";
import { startSession } from "../../../lib/accounts/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator, nowMs } from "../../console/people.ts";
import { complaintsOf, findChromium, launch } from "./chromium.ts";
import { check, show, themes, widths } from "./look.ts";
import { serveConsole, type ServedConsole } from "./served_console.ts";

/** Runs a test in a browser in which the administrator `owner` is signed in. */
export function signedInTest(
  name: string,
  test: (page: Page, served: ServedConsole) => Promise<void>,
): void {
  const chromium = findChromium();
  Deno.test({
    name: `browser: ${name}`,
    ignore: !chromium,
    sanitizeOps: false, // the browser's own connection outlives a test
    sanitizeResources: false,
    fn: async () => {
      const served = await serveConsole();
      const browser = await launch(chromium ?? "");
      try {
        await test(await signIn(browser, served), served);
      } finally {
        await browser.close();
        await served.close();
      }
    },
  });
}

/** Looks at pages in both themes at every width; none of them complains. */
export async function lookAt(
  page: Page,
  origin: string,
  paths: Readonly<Record<string, string>>,
): Promise<void> {
  const complaints = complaintsOf(page);
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(origin + path, { waitUntil: "load" });
        await check(page, `${name}_${theme}_${width}`);
      }
    }
  }
  assertEquals(complaints, []);
}

async function signIn(browser: Browser, { console, origin }: ServedConsole): Promise<Page> {
  await createUser(console.store, administrator);
  const { token } = await startSession(console.store, administrator, { nowMs });
  const page = await browser.newPage();
  await browser.setCookie({ name: "tessera", value: token, domain: new URL(origin).hostname });
  return page;
}
