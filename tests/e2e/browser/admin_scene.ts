import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { startSession } from "../../../lib/accounts/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator, member, nowMs } from "../../console/people.ts";
import { complaintsOf, findChromium, launch } from "./chromium.ts";
import { check, show, themes, widths } from "./look.ts";
import { serveConsole, type ServedConsole } from "./served_console.ts";

const chromium = findChromium();

/** A console in a browser. */
export interface Scene {
  readonly served: ServedConsole;
  /** An administrator is signed in. */
  readonly page: Page;
}

/** Runs a test in a browser in which an administrator is signed in; nothing may complain. */
export function adminTest(name: string, test: (scene: Scene) => Promise<void>): void {
  Deno.test({
    name: `browser: ${name}`,
    ignore: !chromium,
    sanitizeOps: false, // the browser's own connection and the passwords' worker outlive a test
    sanitizeResources: false,
    fn: async () => {
      const served = await serveConsole();
      const { store } = served.console;
      const browser = await launch(chromium ?? "");
      try {
        for (const one of [administrator, member]) await createUser(store, one);
        const { token } = await startSession(store, administrator, { nowMs });
        const cookie = { value: token, domain: "localhost", path: "/", httpOnly: true };
        await browser.setCookie(
          { ...cookie, name: "__Host-tessera", secure: true },
          { ...cookie, name: "tessera" },
        );
        const page = await browser.newPage();
        const complaints = complaintsOf(page);
        await test({ served, page });
        assertEquals(complaints, []);
      } finally {
        await browser.close();
        await served.close();
      }
    },
  });
}

/** Looks at pages in both themes at every width. */
export async function look(
  { page, served: { origin } }: Scene,
  paths: Readonly<Record<string, string>>,
): Promise<void> {
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(origin + path, { waitUntil: "load" });
        await check(page, `admin_${name}_${theme}_${width}`);
      }
    }
  }
}
