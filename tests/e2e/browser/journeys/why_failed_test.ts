import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { callIdAt } from "../../../console/calls/call_id.ts";
import { addFallbackScene } from "../../../console/calls/fallback_scene.ts";
import { addCall } from "../../../console/records.ts";
import { check, everywhere } from "../look.ts";
import type { ServedConsole } from "../served_console.ts";
import { signedInTest } from "../usage_pages.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";

const { id, atMs } = callIdAt(60_000, 7);

signedInTest("J3: why a call failed is one click away from the log", async (page, served) => {
  await addFailure(served);
  await page.goto(`${served.origin}/console/log?status=failed`);
  const person = new Counted(page);
  await person.follow("tbody a.id");
  assertTarget("J3 why a call failed, from the log", person);
  await assertExplained(page);
});

signedInTest("J3: an id is looked up by / and Enter, without a click", async (page, served) => {
  await addFailure(served);
  for (const path of ["/console", "/console/log", "/console/token"]) {
    await page.goto(served.origin + path, { waitUntil: "networkidle0" });
    const person = new Counted(page);
    await page.keyboard.press("/");
    await person.type(".find input:focus", id);
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    assertTarget("J3 why a call failed, by its id", person);
    await assertExplained(page);
  }
});

signedInTest(
  "j, k and Enter go through the log, Escape back, and Back too",
  async (page, served) => {
    await addFailure(served);
    await addCall(served.console.store, { ...callIdAt(120_000, 8) });
    await page.goto(`${served.origin}/console/log?period=24h`, { waitUntil: "networkidle0" });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("title"));
    for (const [key, expected] of [["j", id], ["j", callIdAt(120_000, 8).id], ["k", id]] as const) {
      await page.keyboard.press(key);
      assertEquals(await focused(), expected);
    }
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    await page.waitForNetworkIdle();
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Escape")]);
    assertEquals(new URL(page.url()).search, "?period=24h");
    await page.waitForNetworkIdle();
    await page.keyboard.press("?");
    assert(await page.$("#shortcuts:popover-open"));
  },
);

signedInTest("single keys do nothing once they are switched off", async (page, served) => {
  await page.goto(`${served.origin}/console/log`, { waitUntil: "networkidle0" });
  await page.keyboard.press("?");
  await Promise.all([page.waitForNavigation(), page.click("#shortcuts button")]);
  await page.waitForNetworkIdle();
  await page.keyboard.press("/");
  assertEquals(await page.evaluate(() => document.activeElement?.tagName), "BODY");
});

signedInTest("J3: a fallback is added in one click, and undone in one", async (page, served) => {
  const path = await addFallbackScene(served.console);
  await page.goto(served.origin + path);
  const person = new Counted(page);
  const notice = () => page.$eval(".undo, .notice", (one) => one.textContent ?? "");
  await everywhere(page, () => check(page, "fallback_missing"));
  await person.follow(".fix button.primary");
  assertTarget("J3 a fallback for what failed", person);
  assertStringIncludes(await notice(), "backup now serves gpt-5-mini");
  await check(page, "fallback_added");
  await person.follow(".undo button");
  assertStringIncludes(await notice(), "backup no longer serves gpt-5-mini");
  assert(await page.$(".fix button.primary"), "the fix is offered again");
});

async function assertExplained(page: Page): Promise<void> {
  const { pathname, searchParams } = new URL(page.url());
  assertEquals(
    searchParams.get("call") ?? pathname,
    pathname.endsWith("/log") ? id : `/console/log/${id}`,
  );
  await page.waitForSelector(".verdict");
  const text = await page.evaluate(() => document.querySelector(".verdict")?.textContent ?? "");
  for (
    const part of [
      "The key's requests per minute limit is reached.",
      "Not charged",
      "Safe to retry",
      "Retry later, or raise the limit.",
      "Change key limits",
    ]
  ) assertStringIncludes(text, part);
}

async function addFailure({ console: { store } }: ServedConsole): Promise<void> {
  await addCall(store, {
    id,
    atMs,
    status: 429,
    outcome: "refused",
    errorCode: "rate_limit_exceeded",
    firstByteMs: undefined,
    refusedBy: {
      name: "key requests per minute",
      kind: "requests",
      limit: 600n,
      remaining: 0n,
      resetsAtMs: atMs + 30_000,
    },
  });
}
