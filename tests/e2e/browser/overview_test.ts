import { assertEquals } from "@std/assert";
import { callIdAt } from "../../console/calls/call_id.ts";
import { addCall, addKey } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

const dayMs = 86_400_000;

signedInTest("the overview is whole in both themes at every width", async (page, served) => {
  await addCalls(served);
  await lookAt(page, served.origin, {
    overview_used: "/console",
    overview_requests: "/console?period=30d&by=requests",
    overview_day: "/console?period=24h&by=tokens",
  });
});

signedInTest("the chart is read by keyboard, day by day", async (page, served) => {
  await addCalls(served);
  await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
  await page.focus(".day-slider");
  assertEquals(await chosenDay(), "Nov 21, 2026");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() =>
    document.querySelector(".readout thead th:nth-child(2)")?.textContent === "Nov 19, 2026"
  );
  assertEquals(await spokenDay(), "Nov 19, 2026: $14.37");
  await Promise.all([page.waitForNavigation(), page.click(".readout .link")]);
  assertEquals((await page.$$("tbody tr")).length, 6);

  function chosenDay() {
    return page.$eval(".readout thead th:nth-child(2)", ({ textContent }) => textContent);
  }
  function spokenDay() {
    return page.$eval(".day-slider", (slider) => slider.getAttribute("aria-valuetext"));
  }
});

signedInTest("which key spent most is one click from the overview", async (page, served) => {
  await addCalls(served);
  await page.goto(`${served.origin}/console`);
  await Promise.all([
    page.waitForNavigation(),
    page.click("section[aria-labelledby=keys-by-spend] tbody th a"),
  ]);
  assertEquals(new URL(page.url()).searchParams.get("key"), "key_1");
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
