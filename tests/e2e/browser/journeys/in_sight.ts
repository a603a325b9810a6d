import type { Page } from "puppeteer-core";

/**
 * The text that can be seen without scrolling: of elements inside the window, which nothing covers.
 */
export async function textInSight(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim();
      if (!text || !node.parentElement?.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, top, right, bottom, width } = range.getBoundingClientRect();
      const inside = width > 1 && left >= 0 && right <= innerWidth && top >= 0 &&
        bottom <= innerHeight;
      const above = inside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const covered = above && !above.contains(node) && !node.parentElement.contains(above);
      if (inside && !covered) texts.push(text);
    }
    return texts.join(" ").replace(/\s+/g, " ");
  });
}
