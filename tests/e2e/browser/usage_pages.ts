import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { administrator } from "../../console/people.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { checkPages } from "./look.ts";
import { serveConsole, type ServedConsole, signIn } from "./served_console.ts";

/** Runs a test in a browser in which the administrator `owner` is signed in. */
export function signedInTest(
  name: string,
  test: (page: Page, served: ServedConsole) => Promise<void>,
  options?: { readonly speculates?: boolean },
): void {
  browserTest(
    `browser: ${name}`,
    () => serveConsole(options),
    async (served, browser) => await test(await signIn(browser, served, administrator), served),
  );
}

/** Looks at pages in both themes at every width; none of them complains. */
export async function lookAt(
  page: Page,
  origin: string,
  paths: Readonly<Record<string, string>>,
): Promise<void> {
  const complaints = complaintsOf(page);
  await checkPages(page, origin, paths);
  assertEquals(complaints, []);
}
