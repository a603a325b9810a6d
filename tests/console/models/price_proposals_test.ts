import { assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../../lib/canonical/mod.ts";
import { createUpstream, getModel, writePriceFeed } from "../../../lib/store/catalog/mod.ts";
import { scheduleOf } from "../../../lib/admin/models/price_changes.ts";
import { callIdAt } from "../calls/call_id.ts";
import { assertRedirect, type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, upstreamRecord } from "../records.ts";

const path = "/console/pricing/proposals";

/** A feed in which GPT-5 costs twice as much, and a call that cost $1.25. */
async function feed({ store, directory }: TestConsole): Promise<void> {
  await createUpstream(store, upstreamRecord({ id: "up", models: [{ id: "gpt-5" }] }));
  await writePriceFeed(store, {
    url: "https://feed.example/prices.json",
    fetchedAtMs: nowMs,
    models: {
      "gpt-5": { price: { input: 2.5, output: 20 }, sinceMs: nowMs, retires: "2026-12-11" },
    },
  });
  await addCall(store, {
    ...callIdAt(60_000, 1),
    model: "gpt-5",
    upstreamId: "up",
    usage: { ...noUsage, inputTokens: 1_000_000 },
    costNanoUsd: 1_250_000_000n,
  });
  await directory.refresh();
}

async function lastPrice({ store }: TestConsole) {
  return scheduleOf((await getModel(store, "gpt-5"))?.price).at(-1);
}

testConsole("price proposals: reviewed, taken and undone with a click", async (console) => {
  await feed(console);
  const browser = await console.signedIn(administrator);
  const listed = textOf((await browser.get(path)).html);
  assertStringIncludes(listed, "Input price: $1.25 → $2.5");
  assertStringIncludes(listed, "+$1.25");
  const review = await browser.post(path, { model: "gpt-5" });
  assertEquals(review.status, 200);
  assertStringIncludes(textOf(review.html), "7 days: +$1.25");
  assertEquals(await getModel(console.store, "gpt-5"), undefined);

  assertRedirect(
    await browser.post(path, { model: "gpt-5", confirm: "true" }),
    `${path}?done=taken`,
  );
  assertEquals((await lastPrice(console))?.input, 2.5);
  const done = await browser.get(`${path}?done=taken`);
  assertStringIncludes(textOf(done.html), "Prices changed.");
  const [, take] = /name="take" value="([^"]+)"/.exec(done.html) ?? [];
  assertRedirect(await browser.post(path, { intent: "undo", take }), `${path}?done=undone`);
  assertEquals(await getModel(console.store, "gpt-5"), undefined);
});

testConsole(
  "price proposals: a start must be a time, and something must be chosen",
  async (console) => {
    await feed(console);
    const browser = await console.signedIn(administrator);
    assertEquals((await browser.post(path, {})).status, 422);
    const wrong = { model: "gpt-5", confirm: "true", from: "soon" };
    assertEquals((await browser.post(path, wrong)).status, 422);
    await browser.post(path, { ...wrong, from: "2099-01-01T00:00" });
    assertEquals((await lastPrice(console))?.from, "2099-01-01T00:00:00Z");
  },
);

testConsole("price proposals: members see none, but the end of a model", async (console) => {
  await feed(console);
  const browser = await console.signedIn(member);
  assertEquals((await browser.get(path)).status, 403);
  assertEquals((await browser.post(path, { model: "gpt-5", confirm: "true" })).status, 403);
  const { html } = await browser.get("/console/pricing");
  assertEquals(html.includes(path), false);
  const page = textOf((await browser.get("/console/pricing/model?name=gpt-5")).html);
  assertStringIncludes(page, "The vendor shuts this model down on 2026-12-11.");
});
