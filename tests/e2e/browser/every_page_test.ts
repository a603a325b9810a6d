import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { complaintsOf } from "./chromium.ts";
import { everyPage, type StockedPage, visit } from "./every_page.ts";
import { check, checkLayout, checkRules, show } from "./look.ts";
import { stock } from "./stocked_console.ts";
import { signedInTest } from "./usage_pages.ts";

const widths = [1440, 768, 390, 320] as const;
type Width = typeof widths[number];
const languages = ["en", "zh-CN"] as const;
/**
 * The widths at which axe looks at every page in both themes and languages. With `EVERY_WIDTH=1`,
 * these are all. At the others, each page has its turn in one language and theme: that takes a
 * quarter of the time, and the layouts have nearly the same elements.
 */
const checkedWidths: readonly Width[] = Deno.env.get("EVERY_WIDTH") === "1" ? widths : [390];

for (const language of languages) {
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
  language: typeof languages[number],
): Promise<string[]> {
  await tab.setExtraHTTPHeaders({ "accept-language": language });
  const faults = complaintsOf(tab);
  for (const [at, one] of pages.entries()) {
    try {
      await show(tab, "light", widths[0]);
      await visit(tab, one);
      assertEquals(await tab.$eval("html", ({ lang }) => lang), language);
      await lookAtWidths(tab, `${language}_${one.name}`, turnOf(at, language));
    } catch (error) {
      faults.push(`${one.pattern}: ${error}`);
    }
  }
  return faults;
}

/** The theme in which axe looks at a page at the widths that are not checked in both. */
type Turn = "light" | "dark" | undefined;

/** Pages take turns: English and light, English and dark, Chinese and light, Chinese and dark. */
function turnOf(at: number, language: typeof languages[number]): Turn {
  const [turnLanguage, theme] = [
    languages[(at >> 1) % 2],
    at % 2 === 0 ? "light" : "dark",
  ] as const;
  return turnLanguage === language ? theme : undefined;
}

async function lookAtWidths(tab: Page, name: string, turn: Turn): Promise<void> {
  for (const width of widths) {
    await show(tab, "light", width);
    if (checkedWidths.includes(width)) {
      await check(tab, name);
      continue;
    }
    await checkLayout(tab, name);
    if (turn === undefined) continue;
    await show(tab, turn, width);
    await checkRules(tab, `${name}_${turn}_${width}`);
  }
}
