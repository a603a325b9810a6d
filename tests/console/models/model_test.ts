import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createModel, createUpstream, updateGroup } from "../../../lib/store/catalog/mod.ts";
import { type TestConsole, testConsole, textOf } from "../console.ts";
import { member, nowMs } from "../people.ts";
import { upstreamRecord } from "../records.ts";
import { sample } from "../upstreams/upstream_scene.ts";

testConsole(
  "model: prices are the reader's own, with tiers and what a cache costs",
  async (console) => {
    await addModels(console);
    const browser = await console.signedIn(member);
    const { html } = await browser.get("/console/pricing/model?name=acme%2Flarge");
    const text = textOf(html);
    for (
      const part of [
        "in group default",
        "Above 200,000 input tokens",
        "Input, uncached $4.50 $9.00",
        "Input, read from cache $0.45 $0.45",
        "Output $22.50 $22.50",
        "Per call $0.003",
        "1,000 web-search calls $15.00",
        "curl 'http://localhost/v1beta/models/acme%2Flarge:generateContent'",
      ]
    ) assertStringIncludes(text, part);
    assert(!text.includes("Reasoning"));
  },
);

testConsole("model: the calculator charges as a call is charged", async (console) => {
  await addModels(console);
  const browser = await console.signedIn(member);
  const path = "/console/pricing/model?name=acme%2Flarge";
  for (
    const [query, one, all] of [
      ["&input=1000000&cached=0&output=0&calls=2", "Per call $9.003", "2 calls $18.01"],
      ["&input=1000&cached=1000&output=100&calls=10", "Per call $0.0102", "10 calls $0.102"],
      ["&input=x&cached=-1&output=&calls=99999999999", "Per call $0.01875", "1,000 calls $18.75"],
    ]
  ) {
    const text = textOf((await browser.get(path + query)).html);
    assertStringIncludes(text, one);
    assertStringIncludes(text, all);
  }
});

testConsole("model: what the account may not call is unknown", async (console) => {
  await addModels(console);
  const browser = await console.signedIn(member);
  for (const name of ["", "nobody", "hidden"]) {
    const { status } = await browser.get(`/console/pricing/model?name=${name}`);
    assertEquals(status, 404, name);
  }
  const free = textOf((await browser.get("/console/pricing/model?name=unpriced-one")).html);
  assertStringIncludes(free, "No price set.");
});

testConsole(
  "model: it says what is known, how it is called, and what it will cost",
  async (console) => {
    await createUpstream(console.store, sample({ models: [{ id: "gemini-3.8-flash" }] }));
    await console.directory.refresh();
    const browser = await console.signedIn(member);
    const { html } = await browser.get("/console/pricing/model?name=gemini-3.8-flash");
    const text = textOf(html);
    for (
      const part of ["Vendor google", "Image input", "Price schedule", "Current", "from openai"]
    ) {
      assertStringIncludes(text, part);
    }
    assert(/Scheduled|Past/.test(text));
    assertEquals(html.match(/<summary[^>]*>Python/g)?.length, 4);
    assertEquals(html.match(/<summary[^>]*>TypeScript/g)?.length, 4);
  },
);

async function addModels({ store, directory }: TestConsole): Promise<void> {
  await createUpstream(
    store,
    upstreamRecord({
      id: "acme",
      models: [{ id: "acme/large" }, { id: "unpriced-one" }],
    }),
  );
  await createUpstream(
    store,
    upstreamRecord({
      id: "other",
      models: [{ id: "hidden" }],
      groups: ["coding"],
    }),
  );
  await updateGroup(store, "default", (group) => ({ ...group, priceRatio: 1.5 }));
  await createModel(store, {
    id: "acme/large",
    price: {
      input: 3,
      output: 15,
      cachedInput: 0.3,
      cacheWrite: 3,
      request: 0.002,
      hostedTools: { "web-search": 10 },
      tiers: [{ aboveInputTokens: 200_000, input: 6 }],
    },
    createdAtMs: nowMs,
    origin: "config",
  });
  await directory.refresh();
}
