import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { callIdAt } from "../../console/calls/call_id.ts";
import { addCall } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

const calls = [1, 2, 3].map((n) => callIdAt(n * 60_000, n));
const [first, second, third] = calls.map(({ id }) => id);

signedInTest("the drawer follows keys, and each call has its address", async (page, served) => {
  await addCalls(served);
  await page.goto(`${served.origin}/console/log?period=24h`, { waitUntil: "networkidle0" });
  let loads = 0;
  page.on("request", (request) => void (loads += Number(request.isNavigationRequest())));
  await page.click("tbody a.id");
  await shows(page, first);
  await page.keyboard.press("ArrowDown");
  await shows(page, second);
  await page.keyboard.press("j");
  await shows(page, third);
  await page.keyboard.press("k");
  await shows(page, second);
  await page.goBack();
  await shows(page, third);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#drawer", { hidden: true });
  assertEquals(new URL(page.url()).search, "?period=24h");
  assertEquals(loads, 0);
});

signedInTest("without a script the drawer is a page with both", async (page, served) => {
  await addCalls(served);
  await page.setJavaScriptEnabled(false);
  await page.goto(`${served.origin}/console/log?period=24h`);
  await Promise.all([page.waitForNavigation(), page.click("tbody a.id")]);
  assertEquals(openIn(page), first);
  await Promise.all([page.waitForNavigation(), page.click("[data-step='1']")]);
  assertEquals(openIn(page), second);
  await Promise.all([page.waitForNavigation(), page.click("#close-call")]);
  assertEquals(openIn(page), null);
});

signedInTest("the open drawer is whole in both themes at every width", async (page, served) => {
  await addCalls(served);
  await lookAt(page, served.origin, { log_drawer: `/console/log?call=${second}` });
});

async function shows(page: Page, id: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector("#call-detail .id-line code")?.textContent === wanted,
    { timeout: 5_000 },
    id,
  );
  assertEquals(openIn(page), id);
}

function openIn(page: Page): string | null {
  return new URL(page.url()).searchParams.get("call");
}

async function addCalls({ console: { store } }: ServedConsole): Promise<void> {
  for (const call of calls) {
    await addCall(store, {
      ...call,
      status: 504,
      outcome: "timeout",
      errorCode: "upstream_timeout",
      model: "anthropic/claude-sonnet-4.5-preview-2026-11-01",
    });
  }
}
