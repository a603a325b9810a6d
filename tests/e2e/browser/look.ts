import { assertEquals, assertNotEquals } from "@std/assert";
import axe from "axe-core";
import type { Page, PuppeteerLifeCycleEvent } from "puppeteer-core";

/** The widths at which each page is tested. */
const widths = [1280, 768, 390] as const;

/**
 * With `EVERY_WIDTH=1`, axe looks at pages in both themes at all widths, and pictures are kept. That
 * takes three to six times as long, and layouts have nearly the same elements at each width.
 */
export const isWhole = Deno.env.get("EVERY_WIDTH") === "1";

const screenshots = new URL("../../../screenshots/", import.meta.url).pathname;

/** Turns the browser to a theme and a width. */
export async function show(page: Page, theme: "dark" | "light", width: number): Promise<void> {
  await page.setViewport({ width, height: width <= 390 ? 844 : 800 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
}

/** Runs steps at every width. */
export async function everywhere(
  page: Page,
  steps: (width: number) => Promise<unknown>,
): Promise<void> {
  for (const width of widths) {
    await show(page, "light", width);
    await steps(width);
  }
}

interface Loading {
  /** Before the names of the pictures. */
  readonly prefix?: string;
  /** A page is checked after this event. The default is `load`. */
  readonly waitUntil?: PuppeteerLifeCycleEvent;
}

/** Checks pages in both themes at every width. */
export async function checkPages(
  page: Page,
  origin: string,
  paths: Readonly<Record<string, string>>,
  { prefix = "", waitUntil = "load" }: Loading = {},
): Promise<void> {
  await everywhere(page, async () => {
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(origin + path, { waitUntil });
      await check(page, `${prefix}${name}`);
    }
  });
}

/** The rules of axe that depend on colors. */
const colorRules = ["color-contrast", "link-in-text-block"];
const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Checks the page as it is, in both themes, which differ in their colors only. A tablet's width is
 * checked for its layout, and the dark theme at the largest width.
 */
export async function check(page: Page, name: string, rules = everyRule): Promise<void> {
  const width = page.viewport()?.width ?? widths[0];
  if (!isWhole && width === 768) return await assertNothingSideways(page, `${name}_light_${width}`);
  await checkTheme(page, `${name}_light_${width}`, rules);
  if (!isWhole && width < 768) return;
  const light = await backgroundOf(page);
  await show(page, "dark", width);
  assertNotEquals(await backgroundOf(page), light, `${name} is not dark`);
  await checkTheme(page, `${name}_dark_${width}`, rules === everyRule ? colorRules : rules);
  await show(page, "light", width);
}

/** The color behind everything on the page. */
async function backgroundOf(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const colors = [document.body, document.documentElement]
      .map((element) => getComputedStyle(element).backgroundColor);
    return colors.find((color) => color !== "rgba(0, 0, 0, 0)") ?? "";
  });
}

/** Nothing scrolls sideways, and axe finds nothing. */
async function checkTheme(page: Page, name: string, rules: readonly string[]): Promise<void> {
  await assertNothingSideways(page, name);
  await checkRules(page, name, rules);
}

/** Axe finds nothing on the page as it is. */
export async function checkRules(
  page: Page,
  name: string,
  rules: readonly string[] = everyRule,
): Promise<void> {
  assertEquals(await violationsOf(page, rules), [], name);
}

/** Nothing scrolls sideways in the light theme. */
export async function checkLayout(page: Page, name: string): Promise<void> {
  await assertNothingSideways(page, `${name}_light_${page.viewport()?.width}`);
}

async function assertNothingSideways(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const wide = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth
  );
  await picture(page, name);
  assertEquals(wide, 0, `${name} scrolls sideways by ${wide} px`);
}

/** Keeps a picture of what the page shows, with `EVERY_WIDTH=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!isWhole) return;
  await Deno.mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
}

/** The violations that axe finds, with the elements. */
async function violationsOf(page: Page, rules: readonly string[]): Promise<string[]> {
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(axe.source);
  return await page.evaluate(async (runOnly) => {
    // deno-lint-ignore no-explicit-any -- axe puts itself on the window, untyped
    const { violations } = await (globalThis as any).axe.run({ runOnly });
    return violations.map((
      one: { id: string; nodes: { html: string; failureSummary: string }[] },
    ) =>
      `${one.id}: ${
        one.nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")
      }`
    );
  }, rules);
}
