import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Browser, ElementHandle, Page } from "puppeteer-core";
import type { Store } from "../../../lib/store/mod.ts";
import { createUser, firstAccountId } from "../../../lib/store/users/mod.ts";
import { fundAccount, openAlerts, spend, usd, webhookAt } from "../../alerts/alerting.ts";
import { nowMs, user } from "../../console/people.ts";
import { addCall, addKey } from "../../console/records.ts";
import { browserTest, complaintsOf } from "./chromium.ts";
import { check, checkPages, everywhere } from "./look.ts";
import { serveConsole, type ServedConsole } from "./served_console.ts";

const email = "mira@example.com";
const password = "correct horse battery staple";
const consoleTest = (
  name: string,
  test: (served: ServedConsole, browser: Browser) => Promise<void>,
) => browserTest(`browser: ${name}`, () => serveConsole(), test);

consoleTest("from the set-up link to a stored key, and out again", async (served, browser) => {
  const page = await browser.newPage();
  const complaints = complaintsOf(page);
  await setUp(page, served);
  await createKey(page, "ci-nightly");
  assertEquals(await pathOf(page), "/console/token");
  const secret = await textAt(page, ".secret .value");
  assertMatch(secret, /^sk-[0-9A-Za-z]{34}$/);
  assertEquals(await visible(page, ".secret .value"), false);
  await page.click(".secret summary");
  assertEquals(await visible(page, ".secret .value"), true);
  await Promise.all([page.waitForNavigation(), page.click(".fresh-panel > .body > .actions a")]);

  const html = await page.content();
  assertStringIncludes(html, "ci-nightly");
  assert(!html.includes(secret), "the secret is shown a second time");
  assertStringIncludes(html, secret.slice(-4));
  await page.reload();
  assert(!(await page.content()).includes(secret));

  await signOut(page);
  await page.goto(`${served.origin}/console/token`);
  assertEquals(await pathOf(page), "/login?next=%2Fconsole%2Ftoken");
  await page.type("#email", email);
  await page.type("#password", password);
  await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
  assertEquals(await pathOf(page), "/console/token");
  assertEquals(complaints, []);
});

consoleTest("a key is disabled, enabled and deleted from its menu", async (served, browser) => {
  const page = await browser.newPage();
  const complaints = complaintsOf(page);
  await setUp(page, served);
  await addKey(served.console.store, { name: "old-laptop" });
  await page.reload();

  await fromMenu(page, "button.item", true);
  assertStringIncludes(await textAt(page, ".notice"), "old-laptop is disabled");
  assertStringIncludes(await textAt(page, "tbody"), "Disabled");
  await page.waitForFunction(() => document.querySelector(".notice [role=status]")?.textContent);
  await fromMenu(page, "button.item", true);
  assertStringIncludes(await textAt(page, "tbody"), "Active");

  await fromMenu(page, "a.item.danger");
  await page.waitForSelector("dialog[open]");
  assertEquals(await textAt(page, "dialog[open] h2"), "Delete old-laptop?");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  await page.waitForFunction(() =>
    document.activeElement?.getAttribute("aria-label") === "Actions for old-laptop"
  );
  await fromMenu(page, "a.item.danger");
  await Promise.all([page.waitForNavigation(), page.click("dialog[open] .danger")]);
  assertStringIncludes(await textAt(page, ".notice"), "old-laptop is deleted");
  assertStringIncludes(await textAt(page, "main"), "You have no keys yet");
  assertEquals(complaints, []);
});

consoleTest(
  "what the dialog refuses is marked in it, and what was typed stays",
  async (served, browser) => {
    const page = await browser.newPage();
    await setUp(page, served);
    await addKey(served.console.store, { name: "taken" });
    await createKey(page, "taken");
    await page.waitForSelector("dialog [aria-invalid]");
    assertStringIncludes(await textAt(page, "#key-name-fault"), "already have a key");
    assertEquals(
      await page.$eval("#key-name", (input) => (input as HTMLInputElement).value),
      "taken",
    );
    assertEquals(await page.evaluate(() => document.activeElement?.getAttribute("role")), "alert");
  },
);

consoleTest(
  "without a script the key is made by a form and shown once",
  async (served, browser) => {
    const page = await browser.newPage();
    await page.setJavaScriptEnabled(false);
    await setUp(page, served);
    await Promise.all([page.waitForNavigation(), page.click(".topbar a.primary")]);
    assertEquals(await pathOf(page), "/console/token/new");
    await page.type("#key-name", "plain");
    await Promise.all([page.waitForNavigation(), page.click("main button.primary")]);
    assertEquals(await pathOf(page), "/console/token");
    const secret = (await page.content()).match(/sk-[0-9A-Za-z]{34}/)?.[0];
    assert(secret, "the secret is not shown");
    await page.reload();
    assert(!(await page.content()).includes(secret));
  },
);

consoleTest("every page is whole in both themes at every width", async (served, browser) => {
  const page = await browser.newPage();
  await setUp(page, served);
  const { deleteKey, call } = await fill(served);
  const paths = {
    overview: "/console",
    keys: "/console/token",
    keys_filtered: "/console/token?q=ci&sort=name",
    keys_no_match: "/console/token?q=nothing",
    key_new: "/console/token/new",
    key_delete: `/console/token/${deleteKey}/delete`,
    log: "/console/log",
    call: `/console/log/${call}`,
    call_charged: "/console/log/req_01KAJ9V3M8WZ5X7Q2C4N6B8D1G",
    call_unknown: "/console/log/req_none",
    models: "/console/pricing",
    balance: "/console/topup",
    not_found: "/nowhere",
  };
  await look(page, served.origin, paths);
  await page.goto(`${served.origin}/console`);
  await signOut(page);
  await look(page, served.origin, {
    login: "/login",
    setup_gone: served.setupPath,
  });
});

consoleTest("the set-up form, the dialogs and the menus are whole too", async (served, browser) => {
  const page = await browser.newPage();
  await look(page, served.origin, { setup: served.setupPath });
  await setUp(page, served);
  await addKey(served.console.store, { name: "old-laptop" });
  await everywhere(page, async (width) => {
    await page.goto(`${served.origin}/console/token`);
    await click(page, ".act .icon-button");
    await check(page, "menu");
    await click(page, ".act a.item.danger");
    await page.waitForSelector("dialog[open]");
    await check(page, "dialog_delete");
    await page.keyboard.press("Escape");
    await click(page, width === 390 ? ".tabbar button" : ".me");
    await check(page, "account");
    await page.keyboard.press("Escape");
    await click(page, ".topbar a.primary");
    await page.waitForSelector("dialog[open]");
    await page.click("dialog details.more summary");
    await page.click('dialog input[value="date"]');
    await check(page, "dialog_create");
    await page.type("dialog #key-name", `key-${width}`);
    await page.click('dialog input[value="30"]');
    await page.click("dialog button.primary");
    await page.waitForSelector(".fresh-panel .secret");
    await check(page, "key_fresh");
  });
});

consoleTest("Chinese pages are whole", async (served, browser) => {
  const page = await browser.newPage();
  await page.setExtraHTTPHeaders({ "accept-language": "zh-CN" });
  await setUp(page, served);
  await fill(served);
  assertEquals(await page.$eval("html", (html) => html.lang), "zh-CN");
  await look(page, served.origin, { zh_overview: "/console", zh_keys: "/console/token" });
});

consoleTest("a browser keeps the bound cookie on loopback addresses", async (served, browser) => {
  const page = await browser.newPage();
  await setUp(page, served);
  for (const origin of [served.origin, served.origin.replace("localhost", "127.0.0.1")]) {
    const own = await browser.createBrowserContext();
    const other = await own.newPage();
    await other.goto(`${origin}/login`);
    await other.type("#email", email);
    await other.type("#password", password);
    await Promise.all([other.waitForNavigation(), other.click("button.primary")]);
    assertEquals(await pathOf(other), "/console");
    const cookies = await own.cookies();
    const bound = cookies.find(({ name }) => name === "__Host-tessera");
    assertEquals([bound?.secure, bound?.httpOnly, bound?.path], [true, true, "/"], origin);
    await own.close();
  }
});

async function setUp(page: Page, { origin, setupPath }: ServedConsole): Promise<void> {
  await page.goto(origin + setupPath);
  await page.type("#email", email);
  await page.type("#password", password);
  await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
  await page.goto(`${origin}/console/token`);
}

async function createKey(page: Page, name: string): Promise<void> {
  await page.click(".topbar a.primary");
  await page.waitForSelector("dialog[open] #key-name");
  await page.type("#key-name", name);
  await page.click("dialog button.primary");
  await page.waitForSelector(".fresh-panel .secret, dialog [aria-invalid]");
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<HTMLElement>("#account-menu")?.showPopover());
  await Promise.all([
    page.waitForNavigation(),
    page.click('#account-menu form[action="/logout"] button'),
  ]);
}

async function fromMenu(page: Page, item: string, leads = false): Promise<void> {
  await click(page, ".act .icon-button");
  await page.waitForSelector(`.act :popover-open ${item}`);
  const clicking = page.click(`.act :popover-open ${item}`);
  await (leads ? Promise.all([page.waitForNavigation(), clicking]) : clicking);
}

/** Clicks the first of them that can be seen. */
async function click(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector, { visible: true });
  for (const element of await page.$$(selector)) {
    if (await element.isVisible()) return await (element as ElementHandle<Element>).click();
  }
}

/** Keys in every state and calls of every outcome. */
async function fill({ console: { store } }: ServedConsole) {
  const day = 86_400_000;
  const keys = await Promise.all([
    addKey(store, { name: "W".repeat(60) }),
    addKey(store, { name: "prod-api", groupId: "coding", createdAtMs: nowMs - 80 * day }),
    addKey(store, { name: "ci-nightly", expiresAtMs: nowMs + 3 * day }),
    addKey(store, { name: "old-laptop", enabled: false, createdAtMs: nowMs - 41 * day }),
    addKey(store, { name: "spring-workshop", expiresAtMs: nowMs - day }),
    addKey(store, { name: "orphan", groupId: "gone" }),
    addKey(store, { name: "from-the-file", origin: "config" }),
  ]);
  const failed = await addCall(store, {
    id: "req_01KAJ9V3M8WZ5X7Q2C4N6B8D0F",
    accountId: firstAccountId,
    status: 502,
    outcome: "upstream_error",
    errorCode: "upstream_unreachable",
    usage: undefined,
    upstreamModel: "acme-small-2",
    userAgent: "curl/8.10.1",
    ip: "203.0.113.7",
    notes: [{ path: "tools[0].strict", action: "dropped", reason: "not in this format" }],
  });
  await addAlerts(store);
  const charged = {
    costNanoUsd: 4_542_000n,
    uncoveredNanoUsd: 1_000n,
    costLines: [
      { bucket: "inputTokens", quantity: 1_234, nanoUsd: 3_702_000n },
      { bucket: "outputTokens", quantity: 56, nanoUsd: 840_000n },
    ],
  };
  for (const n of [1, 2, 3]) {
    await addCall(store, { id: `req_01KAJ9V3M8WZ5X7Q2C4N6B8D${n}G`, ...charged });
  }
  return { deleteKey: keys[0].id, call: failed.id };
}

/** Budgets and a balance that run low, of the reader and of others. */
async function addAlerts(store: Store): Promise<void> {
  const budgets = [{ period: "month", nanoUsd: 10n * usd }] as const;
  const accountId = "usr_ada";
  await createUser(store, user({ id: accountId, email: "ada@example.com", role: "member" }));
  await addKey(store, { id: "key_nightly", name: "nightly-tests", budgets });
  await addKey(store, { id: "key_long", accountId, name: "W".repeat(60), budgets });
  await fundAccount(store, accountId, 20n);
  await spend(store, "budget:key:key_nightly:2026-11", 920);
  await spend(store, "budget:key:key_long:2026-11", 510);
  await spend(store, `wallet:${accountId}`, 1_580);
  await using test = openAlerts(store, webhookAt("http://127.0.0.1:1"));
  const spender = { keyId: "key_nightly", groupId: "coding", accountId };
  test.alerts.noteRefused(spender, { kind: "money", name: "key monthly budget" });
  await test.alerts.check();
}

async function look(page: Page, origin: string, paths: Record<string, string>): Promise<void> {
  const complaints = complaintsOf(page);
  await checkPages(page, origin, paths);
  // A page that answers 404 or 410, as two of them should, is a complaint of the browser's too.
  assertEquals(complaints.filter((one) => !/status of (404|410)/.test(one)), []);
}

async function pathOf(page: Page): Promise<string> {
  const url = new URL(await page.evaluate(() => location.href));
  return url.pathname + url.search;
}

async function textAt(page: Page, selector: string): Promise<string> {
  await page.waitForSelector(selector);
  return await page.$eval(selector, (element) => element.textContent ?? "");
}

async function visible(page: Page, selector: string): Promise<boolean> {
  return await page.$eval(selector, (element) => element.checkVisibility());
}
