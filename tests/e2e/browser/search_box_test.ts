import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { addKey } from "../../console/records.ts";
import { check } from "./look.ts";
import { signedInTest } from "./usage_pages.ts";

signedInTest("a key opens by Ctrl K, a few letters and Enter", async (page, served) => {
  const { store } = served.console;
  const key = await addKey(store, { name: "ci-nightly" });
  await addKey(store, { name: "not-the-fortnightly-one" });
  await page.goto(`${served.origin}/console/token`, { waitUntil: "networkidle0" });
  await press(page, "Control", "k");
  await page.keyboard.type("nightly");
  await page.waitForSelector('.hits a[aria-selected="true"]');
  const keys = "[aria-labelledby=search-hits-keys] a";
  await page.waitForFunction((keys) => document.querySelectorAll(keys).length === 2, {}, keys);
  const field = await page.$eval(".find input", (input) => ({
    isFocused: input === document.activeElement,
    active: input.getAttribute("aria-activedescendant"),
  }));
  assertEquals(field, { isFocused: true, active: "search-hits-0" });
  await check(page, "search_hits");
  await page.keyboard.press("ArrowDown");
  assertEquals(await selected(page), "search-hits-1");
  await page.keyboard.press("ArrowUp");
  assertEquals(await selected(page), "search-hits-0");
  const name = await page.$eval('.hits a[aria-selected="true"]', (one) => one.textContent);
  assert(name?.startsWith("ci-nightly"), name ?? "");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assertEquals(new URL(page.url()).pathname, `/console/token/${key.id}`);
});

signedInTest("Escape closes the hits, and / is typed within a field", async (page, served) => {
  await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
  await page.keyboard.press("/");
  await page.keyboard.type("a/b");
  assertEquals(await page.$eval(".find input", valueOf), "a/b");
  await page.waitForSelector(".hits");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector(".hits") === null);
});

signedInTest("on a phone Ctrl K leads to the page of search", async (page, served) => {
  await page.setViewport({ width: 390, height: 844 });
  await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
  await Promise.all([page.waitForNavigation(), press(page, "Control", "k")]);
  assertEquals(new URL(page.url()).pathname, "/console/search");
});

// Sound: the selectors name input elements.
const valueOf = (input: Element) => (input as HTMLInputElement).value;

async function press(page: Page, held: "Control", key: "k"): Promise<void> {
  await page.keyboard.down(held);
  await page.keyboard.press(key);
  await page.keyboard.up(held);
}

async function selected(page: Page): Promise<string | undefined> {
  return await page.$eval('.hits a[aria-selected="true"]', (one) => one.id);
}
