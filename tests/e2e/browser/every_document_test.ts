import { assert, assertEquals } from "@std/assert";
import { apiGroupsOf, outlineOf, readDescription } from "../../../lib/docs/mod.ts";
import { readSource } from "../../../lib/docs/outline.ts";
import { startGateway } from "../gateway.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { checkLayout, checkRules, isWhole, show } from "./look.ts";

/**
 * Every page of the documents and of the API reference, in themes that take turns. Without
 * `EVERY_WIDTH=1`, axe looks at every second one: all have the same parts.
 */
browserTest(
  "browser: every document at 390 and 1440 px",
  startGateway,
  async ({ base }, browser) => {
    const page = await browser.newPage();
    const faults = complaintsOf(page);
    const paths = await everyPath(base);
    assert(paths.length > 60, `${paths.length} pages`);
    for (const [at, path] of paths.entries()) {
      const theme = (at >> 1) % 2 === 0 ? "light" : "dark";
      const name = path.slice(1).replaceAll(/\W/g, "_");
      try {
        await show(page, theme, 390);
        const answer = await page.goto(base + path, { waitUntil: "load" });
        assertEquals(answer?.status(), 200);
        await checkLayout(page, name);
        if (isWhole || at % 2 === 0) await checkRules(page, name);
        await show(page, theme, 1440);
        await checkLayout(page, name);
        if (at % 8 === 0) await checkRules(page, name);
      } catch (error) {
        faults.push(`${path}: ${error}`);
      }
    }
    console.log(`  ${paths.length} pages`);
    assertEquals(faults, []);
  },
  { sanitize: true },
);

async function everyPath(base: string): Promise<string[]> {
  const description = await (await fetch(`${base}/openapi.json`)).text();
  return [
    "/docs",
    ...outlineOf(await readSource()).map(({ slug }) => `/docs/${slug}`),
    "/docs/search?q=proxy",
    "/docs/api",
    ...apiGroupsOf(readDescription(description)).map(({ slug }) => `/docs/api/${slug}`),
  ];
}
