import type { ElementHandle, KeyInput, Page } from "puppeteer-core";

/**
 * A person at a page, whose clicks and fields are counted: what journeys are measured by. Reading,
 * scrolling and waiting cost nothing.
 */
export class Counted {
  #clicks = 0;
  #fields = 0;

  constructor(readonly page: Page) {}

  get clicks(): number {
    return this.#clicks;
  }

  get fields(): number {
    return this.#fields;
  }

  /** Clicks the first that can be seen. */
  async click(selector: string): Promise<void> {
    const element = await this.#visible(selector);
    this.#clicks++;
    await element.click();
  }

  /** Clicks what leads to another page, and waits for that. */
  async follow(selector: string): Promise<void> {
    const element = await this.#visible(selector);
    this.#clicks++;
    await Promise.all([
      this.page.waitForNavigation({ waitUntil: "domcontentloaded" }),
      element.click(),
    ]);
  }

  /** Presses keys together, which counts as a click. */
  async press(key: KeyInput, ...held: KeyInput[]): Promise<void> {
    this.#clicks++;
    for (const one of held) await this.page.keyboard.down(one);
    await this.page.keyboard.press(key);
    for (const one of held) await this.page.keyboard.up(one);
  }

  /** Presses Enter where it leads to another page, and waits for that. */
  async enter(): Promise<void> {
    const arriving = this.page.waitForNavigation({ waitUntil: "domcontentloaded" });
    await Promise.all([arriving, this.press("Enter")]);
  }

  /** Fills in one field. */
  async type(selector: string, text: string): Promise<void> {
    const element = await this.#visible(selector);
    this.#fields++;
    await element.focus();
    await element.type(text);
  }

  async #visible(selector: string): Promise<ElementHandle<Element>> {
    await this.page.waitForSelector(selector, { visible: true });
    for (const element of await this.page.$$(selector)) {
      if (!await element.isVisible()) continue;
      // Away from the tabs, which cover the end of a phone's page.
      await element.evaluate((one) => one.scrollIntoView({ block: "center" }));
      return element as ElementHandle<Element>;
    }
    throw new Error(`Nothing to be seen at ${selector}`);
  }
}
