import { assert, assertEquals } from "@std/assert";
import type { KeyInput, Page } from "puppeteer-core";
import { addKey } from "../../console/records.ts";
import { stock } from "./stocked_console.ts";
import type { ServedConsole } from "./served_console.ts";
import { signedInTest } from "./usage_pages.ts";

signedInTest("keys: G and a letter lead to each page", async (page, { origin }) => {
  await open(page, `${origin}/console`);
  const places = {
    k: "/console/token",
    l: "/console/log",
    m: "/console/pricing",
    p: "/console/playground",
    u: "/console/admin/upstreams",
    s: "/console/admin/settings",
    o: "/console",
  } as const;
  for (const [letter, path] of Object.entries(places)) {
    await page.keyboard.press("g");
    await Promise.all([
      page.waitForNavigation({ waitUntil: "networkidle0" }),
      page.keyboard.press(letter as KeyInput), // sound: each is a letter of the table above
    ]);
    assertEquals(new URL(page.url()).pathname, path);
  }
});

signedInTest(
  "keys: a letter alone, with Ctrl, or in a field leads nowhere",
  async (page, served) => {
    const url = `${served.origin}/console/token`;
    await open(page, url);
    await page.keyboard.press("l");
    await page.keyboard.down("Control");
    await page.keyboard.press("g");
    await page.keyboard.up("Control");
    await page.keyboard.press("l");
    await page.type(".find input", "gl.x?");
    assertEquals(page.url(), url);
    assertEquals(
      await page.$eval(".find input", (field) => (field as HTMLInputElement).value),
      "gl.x?",
    );
  },
);

signedInTest("keys: C opens the form of a new key, or its page", async (page, { origin }) => {
  await open(page, `${origin}/console/token`);
  await page.keyboard.press("c");
  assert(await page.$("dialog[open] #create-title"));
  await open(page, `${origin}/console/admin/groups`);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("c")]);
  assertEquals(new URL(page.url()).pathname, "/console/admin/groups/new");
});

signedInTest("keys: J and K, then arrows, go through every list", async (page, served) => {
  await stock(served);
  for (
    const path of ["/console/token", "/console/log", "/console/pricing", "/console/admin/users"]
  ) {
    await open(page, served.origin + path);
    const rows = await page.$$eval(
      "main tbody tr",
      (all) => all.flatMap((row) => row.querySelector("th a")?.getAttribute("href") ?? []),
    );
    assert(rows.length > 1, path);
    const steps = [["j", 0], ["j", 1], ["k", 0], ["ArrowDown", 1], ["ArrowUp", 0]] as const;
    for (const [key, at] of steps) {
      await page.keyboard.press(key);
      assertEquals(await focusedHref(page), rows[at], `${path} after ${key}`);
    }
  }
});

signedInTest("keys: X selects, Shift X a range, Escape none", async (page, served) => {
  await addKeys(served, 5);
  await open(page, `${served.origin}/console/token`);
  const chosen = () => page.$$eval("tbody input:checked", (boxes) => boxes.length);
  for (const key of ["j", "x"] as const) await page.keyboard.press(key);
  assertEquals(await chosen(), 1);
  for (const key of ["j", "j", "j"] as const) await page.keyboard.press(key);
  await page.keyboard.down("Shift");
  await page.keyboard.press("X");
  await page.keyboard.up("Shift");
  assertEquals(await chosen(), 4);
  await page.keyboard.press("x");
  assertEquals(await chosen(), 3);
  await page.keyboard.press("Escape");
  assertEquals(await chosen(), 0);
});

signedInTest(
  "keys: . opens the actions of the row, and Escape closes them",
  async (page, served) => {
    const [{ id }] = await addKeys(served, 2);
    await open(page, `${served.origin}/console/token?sort=name`);
    for (const key of ["j", ".", "j"] as const) await page.keyboard.press(key);
    assert(await page.$(`#menu-${id}:popover-open`));
    assertEquals(await focusedHref(page), `/console/token/${id}/edit`);
    await page.keyboard.press("Escape");
    assertEquals(await page.$(":popover-open"), null);
    assertEquals(await focusedHref(page), `/console/token/${id}`);
  },
);

signedInTest("keys: E shows the exports of the log, T changes the theme", async (page, served) => {
  await stock(served);
  await open(page, `${served.origin}/console/log`);
  await page.keyboard.press("e");
  assert(await page.$("#log-exports:popover-open"));
  await page.keyboard.press("Escape");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  for (const theme of ["dark", "light"]) {
    await page.keyboard.press("t");
    assertEquals(await page.evaluate(() => document.documentElement.dataset.theme), theme);
  }
});

signedInTest("keys: ? lists the keys that work on the page alone", async (page, served) => {
  await addKeys(served, 2);
  const listed = async (path: string) => {
    await open(page, served.origin + path);
    await page.keyboard.press("?");
    return await page.$$eval(
      "#shortcuts:popover-open dl > div",
      (all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent ?? ""),
    );
  };
  const keys = (await listed("/console/token")).join("\n");
  for (const text of ["Create", "Select row", "Actions of row", "Export", "Next row"]) {
    assert(keys.includes(text), `${text} in\n${keys}`);
  }
  const account = (await listed("/console/account")).join("\n");
  for (const text of ["Create", "Select row", "Actions of row", "Export", "Close"]) {
    assert(!account.includes(text), `${text} in\n${account}`);
  }
  assert(account.includes("Settings") && account.includes("Theme"));
});

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "networkidle0" });
}

async function focusedHref(page: Page): Promise<string | null | undefined> {
  return await page.evaluate(() => document.activeElement?.getAttribute("href"));
}

async function addKeys({ console: { store } }: ServedConsole, count: number) {
  const keys = [];
  for (let at = 0; at < count; at++) keys.push(await addKey(store, { name: `ci-${at}` }));
  return keys;
}
