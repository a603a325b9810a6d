import { createUpstream, updateGroup, updateSettings } from "../../../lib/store/catalog/mod.ts";
import { callIdAt } from "../../console/calls/call_id.ts";
import { addCall } from "../../console/records.ts";
import { sample } from "../../console/upstreams/upstream_scene.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

signedInTest("models and prices are whole in both themes at every width", async (page, served) => {
  await addModels(served);
  await lookAt(page, served.origin, {
    pricing: "/console/pricing?sort=-output",
    pricing_groups: "/console/pricing?compare=groups&can=reasoning",
    pricing_none: "/console/pricing?vendor=nobody",
    pricing_model: "/console/pricing/model?name=gemini-3.8-flash",
  });
});

signedInTest("public prices are whole in both themes at every width", async (page, served) => {
  await addModels(served);
  await updateSettings(served.console.store, (settings) => ({ ...settings, publicPricing: true }));
  await served.console.directory.refresh();
  await page.browserContext().deleteCookie(...await page.browserContext().cookies());
  await lookAt(page, served.origin, { pricing_public: "/console/pricing?can=tools" });
});

async function addModels({ console: { store, directory } }: ServedConsole): Promise<void> {
  const ids = ["gpt-5", "gpt-5-mini", "gpt-4o", "claude-sonnet-4-5", "gemini-3.8-flash", "house"];
  await createUpstream(store, sample({ id: "acme", models: ids.map((id) => ({ id })) }));
  await updateGroup(store, "coding", (group) => ({ ...group, priceRatio: 1.5 }));
  await directory.refresh();
  for (const [n, model] of ids.entries()) {
    const costNanoUsd = BigInt(n) * 1_234_567_890n;
    await addCall(store, { ...callIdAt(60_000, n), model, upstreamId: "acme", costNanoUsd });
  }
}
