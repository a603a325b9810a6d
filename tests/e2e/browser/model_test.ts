import { assertEquals } from "@std/assert";
import { createModel, createUpstream } from "../../../lib/store/catalog/mod.ts";
import { nowMs } from "../../console/people.ts";
import { upstreamRecord } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

const name = "anthropic/claude-sonnet-4.5-preview-2026-11-01";
const path = `/console/pricing/model?${new URLSearchParams({ name })}`;

signedInTest(
  "models and one of them are whole in both themes at every width",
  async (page, served) => {
    await addModel(served);
    await lookAt(page, served.origin, { models_priced: "/console/pricing", model: path });
  },
);

signedInTest("the calculator works without a script", async (page, served) => {
  await addModel(served);
  await page.setJavaScriptEnabled(false);
  await page.goto(served.origin + path);
  await page.click("details:has(#calculator) summary");
  await page.$eval("#calls", (input) => (input as HTMLInputElement).value = "2");
  await Promise.all([
    page.waitForNavigation(),
    page.click('.fold form[action*="calculator"] button'),
  ]);
  assertEquals(await page.$eval("form dd strong", ({ textContent }) => textContent), "$0.021");
});

async function addModel({ console: { store, directory } }: ServedConsole): Promise<void> {
  await createUpstream(store, upstreamRecord({ id: "acme", models: [{ id: name }] }));
  await createModel(store, {
    id: name,
    contextWindow: 1_000_000,
    maxOutputTokens: 64_000,
    price: {
      input: 3,
      output: 15,
      cachedInput: 0.3,
      cacheWrite: 3.75,
      cacheWrite1h: 6,
      hostedTools: { "web-search": 10 },
      tiers: [{ aboveInputTokens: 200_000, input: 6, output: 22.5 }],
    },
    createdAtMs: nowMs,
    origin: "config",
  });
  await directory.refresh();
}
