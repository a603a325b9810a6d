import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createModel, createUpstream, updateGroup } from "../../../lib/store/catalog/mod.ts";
import { type TestConsole, testConsole, textOf } from "../console.ts";
import { callIdAt } from "../calls/call_id.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, upstreamRecord } from "../records.ts";
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
        "USD per 1M tokens, group default",
        "Above 200,000 input tokens",
        "Input, uncached $4.50 $9.00",
        "Input, read from cache $0.45 $0.45",
        "Output $22.50 $22.50",
        "Per call $0.003",
        "1,000 web-search calls $15.00",
        "curl 'http://localhost/v1/chat/completions'",
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
  assertStringIncludes(free, "No price set");
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
      const part of [
        "Gemini 3.8 Flash · google · context 1M",
        "Image input",
        "History",
        "since",
        "from openai",
      ]
    ) {
      assertStringIncludes(text, part);
    }
    assertStringIncludes(text, "$1.50 / $7.50 from Jan 1, 2027");
    const tabs = [...html.matchAll(/<label for="example-\d"[^>]*>([^<]+)/g)].map(([, name]) =>
      name
    );
    assertEquals(tabs, ["curl", "Python", "TypeScript", "Codex", "Claude Code", "Gemini CLI"]);
    const path = "/console/pricing/model?name=gemini-3.8-flash";
    for (
      const [format, call] of [
        ["responses", "client.responses.create"],
        ["messages", "client.messages.create"],
        ["generate-content", "v1beta/models/gemini-3.8-flash:generateContent"],
      ]
    ) {
      const page = (await browser.get(`${path}&format=${format}`)).html;
      assertStringIncludes(textOf(page).replaceAll(" . ", ".").replaceAll(" :", ":"), call);
    }
    assertStringIncludes(html, 'href="/console/playground?model=gemini-3.8-flash"');
  },
);

testConsole("model: its code calls an endpoint that serves it", async (console) => {
  const models = ["text-embedding-3-small", "gpt-image-1", "sora-2"].map((id) => ({ id }));
  await createUpstream(console.store, sample({ models }));
  await console.directory.refresh();
  const browser = await console.signedIn(member);
  const textFor = async (name: string) =>
    textOf((await browser.get(`/console/pricing/model?name=${name}`)).html);
  assertStringIncludes(
    await textFor("text-embedding-3-small"),
    "curl 'http://localhost/v1/embeddings'",
  );
  assertStringIncludes(await textFor("gpt-image-1"), "/v1/images/generations");
  const none = await textFor("sora-2");
  assertStringIncludes(none, "No endpoint of this gateway serves this kind of model.");
  assert(!none.includes("chat/completions"));
});

testConsole("model: its figures are sums of all calls, its spend the reader's", async (console) => {
  const { store } = console;
  await addModels(console);
  const call = { model: "acme/large", upstreamId: "acme", costNanoUsd: 2_000_000_000n };
  for (let n = 0; n < 19; n++) {
    await addCall(store, { ...call, ...callIdAt(60_000, n), firstByteMs: 500, durationMs: 1_000 });
  }
  const failed = { status: 502, outcome: "upstream_error", accountId: member.id } as const;
  await addCall(store, { ...call, ...failed, ...callIdAt(60_000, 20) });
  const path = "/console/pricing/model?name=acme%2Flarge";
  const text = textOf((await (await console.signedIn(member)).get(path)).html);
  assertStringIncludes(text, "Success, 14 days 95% 1 of 20 calls failed");
  assertStringIncludes(text, "Your spend, 14 days $2.00 No spend: previous 14 days");
  assert(!text.includes("routing order"));
  const { html } = await (await console.signedIn(administrator)).get(path);
  const whole = textOf(html);
  assertStringIncludes(whole, "Spend, 14 days $40.00");
  assertStringIncludes(whole, "Upstreams, in routing order No fallback");
  assertEquals(html.match(/role="slider"/g)?.length, 4);
});

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
