import { assert, assertEquals } from "@std/assert";
import { callIdAt } from "../../console/calls/call_id.ts";
import { addCall, addKey } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

const dayMs = 86_400_000;

signedInTest("the overview is whole in both themes at every width", async (page, served) => {
  await addCalls(served);
  await lookAt(page, served.origin, {
    overview_used: "/console",
    overview_requests: "/console?period=30d&measure=requests",
    overview_day: "/console?period=24h&measure=tokens",
  });
});

signedInTest("the chart is read by pointer, keyboard and touch", async (page, served) => {
  await addCalls(served);
  await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
  const slider = await page.waitForSelector("#spend-chart [role=slider]:not([hidden])");
  assert(slider);
  assertEquals(await readout(), "Fri, Nov 20");
  const box = await slider.boundingBox();
  assert(box);
  const { x, y, width, height } = box;
  const day = (at: number) => [x + width * (at + 0.5) / 14, y + height / 2] as const;
  await page.mouse.move(...day(2));
  assertEquals(await readout(), "Tue, Nov 10");
  await page.mouse.move(0, 0);
  assertEquals(await readout(), "Fri, Nov 20", "without a pointer, the last whole day");
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  assertEquals(await spoken(), "Thu, Nov 19: $14.37");
  await page.keyboard.press("PageUp");
  assertEquals(await spoken(), "Sat, Nov 21: $7.76");
  await page.keyboard.press("Home");
  assertEquals(await readout(), "Sun, Nov 8");
  await page.touchscreen.tap(...day(11));
  assertEquals(await readout(), "Thu, Nov 19");
  assertEquals(new URL(page.url()).pathname, "/console", "a first tap does not leave the page");
  await Promise.all([page.waitForNavigation(), page.touchscreen.tap(...day(11))]);
  assertEquals(new URL(page.url()).searchParams.has("at"), true, "a second tap chooses the day");

  function readout() {
    return page.$eval("#spend-chart .at", ({ textContent }) => textContent);
  }
  function spoken() {
    return page.$eval("#spend-chart [role=slider]", (one) => one.getAttribute("aria-valuetext"));
  }
});

signedInTest("which key spent most is one click from the overview", async (page, served) => {
  await addCalls(served);
  await page.goto(`${served.origin}/console`);
  await Promise.all([
    page.waitForNavigation(),
    page.click("section[aria-labelledby=keys-by-spend] tbody th a"),
  ]);
  assertEquals(new URL(page.url()).pathname, "/console/token/key_1");
});

/** Six models over two weeks, five of them dear. */
async function addCalls({ console: { store } }: ServedConsole): Promise<void> {
  await addKey(store, { id: "key_1", name: "prod-api" });
  await addKey(store, { id: "key_2", name: "ci-nightly" });
  const models = ["claude-sonnet-4.5", "gpt-5.2", "gemini-3-pro", "deepseek-v3.2", "small", "tiny"];
  for (let day = 0; day < 14; day++) {
    for (const [at, model] of models.entries()) {
      const cents = Math.round((6 - at) ** 2 * 8 * (1 + Math.sin(day)) + 8);
      await addCall(store, {
        ...callIdAt(day * dayMs, day * 10 + at),
        model,
        keyId: at < 4 ? "key_1" : "key_2",
        upstreamId: "acme",
        costNanoUsd: BigInt(cents) * 10_000_000n,
      });
    }
  }
}
