import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator, member } from "../../console/people.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { checkPages } from "./look.ts";
import { serveConsole, type ServedConsole, signIn } from "./served_console.ts";

/** A console in a browser. */
export interface Scene {
  readonly served: ServedConsole;
  /** An administrator is signed in. */
  readonly page: Page;
}

/** Runs a test in a browser in which an administrator is signed in; nothing may complain. */
export function adminTest(name: string, test: (scene: Scene) => Promise<void>): void {
  browserTest(`browser: ${name}`, () => serveConsole(), async (served, browser) => {
    const page = await signIn(browser, served, administrator);
    await createUser(served.console.store, member);
    const complaints = complaintsOf(page);
    await test({ served, page });
    assertEquals(complaints, []);
  });
}

/** Looks at pages in both themes at every width. */
export async function look(
  { page, served: { origin } }: Scene,
  paths: Readonly<Record<string, string>>,
): Promise<void> {
  await checkPages(page, origin, paths, { prefix: "admin_" });
}
