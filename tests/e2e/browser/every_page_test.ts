import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { complaintsOf } from "./chromium.ts";
import { everyPage, type StockedPage, visit } from "./every_page.ts";
import { check, checkLayout, show } from "./look.ts";
import { stock } from "./stocked_console.ts";
import { signedInTest } from "./usage_pages.ts";

const widths = [1440, 768, 390, 320] as const;
/** The layouts differ at these widths, so their elements do; at the others, only lengths do. */
const checkedWidths: readonly number[] = [1440, 390];

for (const language of ["en", "zh-CN"]) {
  signedInTest(`every page in ${language}, both themes and all widths`, async (page, served) => {
    const pages = everyPage(served.origin, await stock(served));
    assert(pages.length > 40);
    const faults = [
      ...await faultsIn(page, pages.filter(({ signedOut }) => !signedOut), language),
      ...await faultsIn(
        await visitorOf(page),
        pages.filter(({ signedOut }) => signedOut),
        language,
      ),
    ];
    assertEquals(faults.filter((one) => !one.includes("status of 410")), []);
  });
}

/** A page of somebody without an account. */
async function visitorOf(page: Page): Promise<Page> {
  const context = await page.browser().createBrowserContext();
  return await context.newPage();
}

/** Looks at all pages, so that one run says everything that is wrong. */
async function faultsIn(
  tab: Page,
  pages: readonly StockedPage[],
  language: string,
): Promise<string[]> {
  await tab.setExtraHTTPHeaders({ "accept-language": language });
  const faults = complaintsOf(tab);
  for (const one of pages) {
    try {
      await show(tab, "light", widths[0]);
      await visit(tab, one);
      assertEquals(await tab.$eval("html", ({ lang }) => lang), language);
      await lookAtWidths(tab, `${language}_${one.name}`);
    } catch (error) {
      faults.push(`${one.pattern}: ${error}`);
    }
  }
  return faults;
}

async function lookAtWidths(tab: Page, name: string): Promise<void> {
  for (const width of widths) {
    await show(tab, "light", width);
    if (checkedWidths.includes(width)) await check(tab, name);
    else await checkLayout(tab, name);
  }
}
