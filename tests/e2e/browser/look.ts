import { assertEquals } from "@std/assert";
import axe from "axe-core";
import type { Page } from "puppeteer-core";

/** The themes and widths in which each page is tested. */
export const themes = ["light", "dark"] as const;
export const widths = [1280, 768, 390] as const;

const screenshots = new URL("../../../screenshots/", import.meta.url).pathname;

/** Turns the browser to a theme and a width. */
export async function show(page: Page, theme: string, width: number): Promise<void> {
  await page.setViewport({ width, height: width === 390 ? 844 : 800 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
}

/** Nothing sideways, nothing that axe objects to; and a picture to look at. */
export async function check(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const wide = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth
  );
  await Deno.mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
  assertEquals(wide, 0, `${name} scrolls sideways by ${wide} px`);
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    // deno-lint-ignore no-explicit-any -- axe puts itself on the window, untyped
    const { violations } = await (globalThis as any).axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.map((
      one: { id: string; nodes: { html: string; failureSummary: string }[] },
    ) =>
      `${one.id}: ${
        one.nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")
      }`
    );
  });
  assertEquals(violations, [], name);
}

/** Checks pages in both themes at every width. */
export async function checkPages(
  page: Page,
  origin: string,
  paths: Readonly<Record<string, string>>,
  prefix = "",
): Promise<void> {
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(origin + path, { waitUntil: "load" });
        await check(page, `${prefix}${name}_${theme}_${width}`);
      }
    }
  }
}
