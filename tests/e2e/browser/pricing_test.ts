import {
  createUpstream,
  updateGroup,
  updateSettings,
  writePriceFeed,
} from "../../../lib/store/catalog/mod.ts";
import { callIdAt } from "../../console/calls/call_id.ts";
import { nowMs } from "../../console/people.ts";
import { addCall } from "../../console/records.ts";
import { sample } from "../../console/upstreams/upstream_scene.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

const dayMs = 86_400_000;

signedInTest("models and prices are whole in both themes at every width", async (page, served) => {
  await addModels(served);
  await addFeed(served);
  await lookAt(page, served.origin, {
    pricing: "/console/pricing?sort=-output",
    pricing_groups: "/console/pricing?compare=groups&can=reasoning",
    pricing_none: "/console/pricing?vendor=nobody",
    pricing_day: "/console/pricing?period=24h&show=called",
    pricing_model: "/console/pricing/model?name=gemini-3.8-flash",
    pricing_set: "/console/pricing/model?name=house&set=price",
    pricing_unused: "/console/pricing/model?name=gpt-5",
    pricing_proposals: "/console/pricing/proposals",
  });
});

signedInTest("models and their labels are whole in Chinese", async (page, served) => {
  await addModels(served);
  await page.goto(served.origin);
  await page.setCookie({ name: "tessera_language", value: "zh-CN", url: served.origin });
  await lookAt(page, served.origin, {
    pricing_chinese: "/console/pricing",
    pricing_set_chinese: "/console/pricing/model?name=house&set=price",
  });
});

signedInTest("public prices are whole in both themes at every width", async (page, served) => {
  await addModels(served);
  await updateSettings(served.console.store, (settings) => ({ ...settings, publicPricing: true }));
  await served.console.directory.refresh();
  await page.browserContext().deleteCookie(...await page.browserContext().cookies());
  await lookAt(page, served.origin, { pricing_public: "/console/pricing?can=tools" });
});

/** A feed with another price of one model, and one for a model that has none. */
async function addFeed({ console: { store } }: ServedConsole): Promise<void> {
  const news = { sinceMs: nowMs - dayMs, page: "https://vendor.example/pricing" };
  await writePriceFeed(store, {
    url: "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices.json",
    fetchedAtMs: nowMs,
    models: {
      "gpt-4o": { ...news, price: { input: 5, output: 20, cachedInput: 2.5 } },
      house: { ...news, price: { input: 1, output: 2 } },
    },
  });
}

async function addModels({ console: { store, directory } }: ServedConsole): Promise<void> {
  const ids = ["gpt-5", "gpt-5-mini", "gpt-4o", "claude-sonnet-4-5", "gemini-3.8-flash", "house"];
  await createUpstream(store, sample({ id: "acme", models: ids.map((id) => ({ id })) }));
  await updateGroup(store, "coding", (group) => ({ ...group, priceRatio: 1.5 }));
  await directory.refresh();
  const called = ids.slice(1).map((model, n) => ({ model, n: n + 1 }));
  for (const { model, n } of called) {
    for (let day = 0; day < 14; day++) {
      const call = { ...callIdAt(day * dayMs + 60_000, 100 * n + day), model, upstreamId: "acme" };
      const failed = n === 2 && day % 4 === 1 &&
        { status: 502, outcome: "upstream_error" as const };
      const costNanoUsd = model === "house" ? 0n : BigInt(n * (day + 1)) * 1_234_567_890n;
      await addCall(store, {
        ...call,
        ...failed,
        costNanoUsd,
        firstByteMs: 200 + 40 * n + 9 * day,
      });
    }
  }
}
