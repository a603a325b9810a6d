import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { complaintsOf } from "./chromium.ts";
import { everyPage, type StockedPage, visit } from "./every_page.ts";
import { check, checkLayout, checkRules, isWhole, show } from "./look.ts";
import { stock } from "./stocked_console.ts";
import { signedInTest } from "./usage_pages.ts";

const widths = [1440, 768, 390, 320] as const;
type Width = typeof widths[number];
const languages = ["en", "zh-CN"] as const;
type Language = typeof languages[number];

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
  language: Language,
): Promise<string[]> {
  await tab.setExtraHTTPHeaders({ "accept-language": language });
  const faults = complaintsOf(tab);
  for (const [at, one] of pages.entries()) {
    try {
      await show(tab, "light", widths[0]);
      await visit(tab, one);
      assertEquals(await tab.$eval("html", ({ lang }) => lang), language);
      const name = `${language}_${one.name}`;
      await lookAtWidths(tab, name, language, (width) => themeAt(width, at, language));
    } catch (error) {
      faults.push(`${one.pattern}: ${error}`);
    }
  }
  return faults;
}

/**
 * The theme in which axe looks at a page; undefined where only its layout is checked. Pages take
 * turns: each is seen in both languages, themes and two widths.
 */
function themeAt(
  width: Width,
  at: number,
  language: Language,
): "light" | "dark" | undefined {
  const theme = (at + languages.indexOf(language)) % 2 === 0 ? "light" : "dark";
  if (width === 390) return theme;
  return width === 1440 && languages[(at >> 1) % 2] === language ? theme : undefined;
}

async function lookAtWidths(
  tab: Page,
  name: string,
  language: Language,
  themeAt: (width: Width) => "light" | "dark" | undefined,
): Promise<void> {
  for (const width of isWhole || language === "en" ? widths : [1440, 390] as const) {
    await show(tab, "light", width);
    if (isWhole) {
      await check(tab, name);
      continue;
    }
    await checkLayout(tab, name);
    const theme = themeAt(width);
    if (theme === undefined) continue;
    await show(tab, theme, width);
    await checkRules(tab, `${name}_${theme}_${width}`);
  }
}
