import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../../lib/canonical/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { createModel, createUpstream, getModel } from "../../../lib/store/catalog/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import {
  assertRedirect,
  type Page,
  type TestBrowser,
  testConsole,
  textOf,
  undoFrom,
} from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall } from "../records.ts";
import { sample } from "../upstreams/upstream_scene.ts";

const list = "/console/pricing";
const path = `${list}/model?name=house-model`;
const form = { intent: "set", input: "2.50", output: "10", cachedInput: "0,25" };
const dayMs = 86_400_000;
const house = { id: "house-model", createdAtMs: nowMs, origin: "console" } as const;

const isOpen =
  /<details[^>]* open[^>]*><summary>(?:(?!<\/summary>).)*<\/summary><span [^>]*id="set-price"/s;

testConsole("prices: one is set, changed, shown and written down", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  assertMatch(textOf((await browser.get(list)).html), /tessera-echo .*? Catalog/);
  assertRedirect(await browser.post(path, form), `${path}&done=saved`);
  assertEquals((await getModel(store, "house-model"))?.price, {
    input: 2.5,
    output: 10,
    cachedInput: 0.25,
  });
  const page = textOf((await browser.get(`${path}&done=saved`)).html);
  assertStringIncludes(page, "Price set.");
  assertMatch(
    textOf((await browser.get(`${list}?show=unserved`)).html),
    /house-model .*? \$2\.50 \$10\.00 \$0\.25 – Custom/,
  );
  console.clock.nowMs += 1;
  await browser.post(path, { ...form, output: "0" });
  const [entry] = (await listAuditEntries(store, { limit: 1 })).entries;
  assertEquals([entry.kind, entry.targetName], ["model", "house-model"]);
  assertEquals(entry.changes, [{ field: "outputPrice", before: "$10", after: "$0" }]);
  assertStringIncludes(
    textOf((await browser.get(path)).html),
    "Output price: $10 → $0",
  );
});

testConsole("prices: every way in which calls are counted has its field", async (console) => {
  const browser = await console.signedIn(administrator);
  const all = {
    ...form,
    cacheWrite: "3",
    cacheWrite1h: "5",
    cacheWrite12h: "6",
    reasoning: "12",
    audioInput: "40",
    audioOutput: "80",
    imageInput: "5",
    imageOutput: "30",
    request: "0.01",
    "tool.web-search": "10",
    "tier0.above": "200000",
    "tier0.input": "5",
    "tier1.above": "500000",
    "tier1.output": "40",
  };
  await browser.post(path, all);
  const price = (await getModel(console.store, "house-model"))?.price;
  assertEquals(price, {
    input: 2.5,
    output: 10,
    cachedInput: 0.25,
    cacheWrite: 3,
    cacheWrite1h: 5,
    cacheWrite12h: 6,
    reasoning: 12,
    audioInput: 40,
    audioOutput: 80,
    imageInput: 5,
    imageOutput: 30,
    request: 0.01,
    hostedTools: { "web-search": 10 },
    tiers: [
      { aboveInputTokens: 200_000, input: 5 },
      { aboveInputTokens: 500_000, output: 40 },
    ],
  });
  const { html } = await browser.get(`${path}&done=saved`);
  for (const [name, value] of Object.entries(all).slice(4)) {
    assertStringIncludes(html, `name="${name}"`);
    assertStringIncludes(html, `value="${value}"`);
  }
  await console.directory.refresh();
  const again = /<form class="body fields"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  const shown = [...again.matchAll(/name="([\w.-]+)"[^>]*value="([^"]*)"/g)]
    .map(([, name, value]): [string, string] => [name, name === "intent" ? "set" : value]);
  await browser.post(path, shown);
  assertEquals((await getModel(console.store, "house-model"))?.price, price);
});

testConsole(
  "prices: service tiers and regions are shown, and kept when a price is set",
  async (console) => {
    const { store, directory } = console;
    const browser = await console.signedIn(administrator);
    const unasked = {
      serviceTiers: { fast: { factor: 2 }, flex: { factor: 0.5, cachedInput: 0.02 } },
      regions: { us: 1.1 },
    };
    const price = { input: 2, output: 8, ...unasked };
    await createModel(store, { id: "house-model", createdAtMs: 1, origin: "console", price });
    await directory.refresh();
    const shown = textOf((await browser.get(path)).html);
    for (const text of ["Multiplier, fast × 2", "Cache read, flex $0.02", "Multiplier, us × 1.1"]) {
      assertStringIncludes(shown, text);
    }
    await browser.post(path, form);
    assertEquals((await getModel(store, "house-model"))?.price, {
      input: 2.5,
      output: 10,
      cachedInput: 0.25,
      ...unasked,
    });
    const [entry] = (await listAuditEntries(store, { limit: 1 })).entries;
    assertEquals(entry.changes?.map(({ field }) => field).sort(), [
      "cacheReadPrice",
      "inputPrice",
      "outputPrice",
    ]);
  },
);

testConsole(
  "prices: the catalog's service tiers are kept by the first own price",
  async (console) => {
    const browser = await console.signedIn(administrator);
    await browser.post(`${list}/model?name=gpt-6-sol`, form);
    const price = (await getModel(console.store, "gpt-6-sol"))?.price;
    assertEquals(price && "serviceTiers" in price && price.serviceTiers, {
      flex: { factor: 0.5 },
      fast: { factor: 2 },
    });
  },
);

testConsole("prices: the last days are tried with the tiers that served them", async (console) => {
  const { store, directory } = console;
  const usage = { ...noUsage, inputTokens: 1_000_000, servedTier: "fast" };
  await createModel(store, {
    id: "house-model",
    createdAtMs: 1,
    origin: "console",
    price: { input: 2, output: 8, serviceTiers: { fast: { factor: 3 } } },
  });
  await directory.refresh();
  const call = { model: "house-model", upstreamId: "acme", costNanoUsd: 6_000_000_000n, usage };
  await addCall(store, { ...callIdAt(dayMs, 1), ...call });
  const browser = await console.signedIn(administrator);
  const answer = await browser.post(path, { ...form, intent: "try", input: "4" });
  assertStringIncludes(textOf(answer.html), "$12.00");
});

for (
  const [field, value, fault] of [
    ["input", "", "Enter an amount in USD such as 2.50"],
    ["output", "-1", "Enter an amount in USD such as 2.50"],
    ["request", "x", "Enter an amount in USD such as 2.50"],
    ["tool.web-search", "x", "Enter an amount in USD such as 2.50"],
    ["tier0.input", "1", "Enter a whole number of tokens."],
    ["from", "soon", "Enter a date and a time."],
  ] as const
) {
  testConsole(`prices: ${field} ${JSON.stringify(value)} will not do`, async (console) => {
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(path, { ...form, [field]: value });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault);
    assertEquals(await getModel(console.store, "house-model"), undefined);
    assertEquals((await listAuditEntries(console.store, { limit: 1 })).entries, []);
  });
}

testConsole("prices: what the configuration declares is not changed here", async (console) => {
  const { store, directory } = console;
  const price = { input: 1, output: 2 };
  await createModel(store, { id: "house-model", price, createdAtMs: nowMs, origin: "config" });
  await directory.refresh();
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(path);
  assertStringIncludes(textOf(html), "Managed by the config file.");
  assert(!html.includes('name="intent"'));
  for (const intent of ["set", "reset", "unschedule"]) {
    assertEquals((await browser.post(path, { ...form, intent })).status, 404);
  }
  assertEquals((await getModel(store, "house-model"))?.price, price);
});

testConsole("prices: one that begins later leaves what counts until then", async (console) => {
  const { store, directory } = console;
  const browser = await console.signedIn(administrator);
  await browser.post(path, form);
  const later = { ...form, input: "5", from: "2026-12-24T18:00" };
  assertRedirect(await browser.post(path, later), `${path}&done=savedLater`);
  const from = "2026-12-24T18:00:00Z";
  assertEquals((await getModel(store, "house-model"))?.price, [
    { from: "1970-01-01T00:00:00Z", input: 2.5, output: 10, cachedInput: 0.25 },
    { from, input: 5, output: 10, cachedInput: 0.25 },
  ]);
  await directory.refresh();
  assertStringIncludes(
    textOf((await browser.get(path)).html),
    "$5.00 / $10.00 from Dec 24, 2026, 18:00:00 Remove $2.50 / $10.00 Current",
  );
  await browser.post(path, { ...form, input: "3" });
  const now = (await getModel(store, "house-model"))?.price;
  assert(Array.isArray(now));
  assertEquals(now.map(({ input }) => input), [2.5, 3, 5]);
  await browser.post(path, { intent: "unschedule", begins: from });
  const left = (await getModel(store, "house-model"))?.price;
  assert(Array.isArray(left));
  assertEquals(left.map(({ input }) => input), [2.5, 3]);
});

testConsole("prices: one's own is given up for the catalog's", async (console) => {
  const { store, directory } = console;
  const browser = await console.signedIn(administrator);
  const own = `${list}/model?name=gpt-5`;
  await browser.post(own, form);
  await directory.refresh();
  assertStringIncludes(textOf((await browser.get(own)).html), "Delete the price of gpt-5?");
  assertRedirect(await browser.post(own, { intent: "reset" }), `${own}&done=deleted`);
  assertEquals(await getModel(store, "gpt-5"), undefined);
  const limits = { contextWindow: 5, createdAtMs: nowMs, origin: "console" } as const;
  await createModel(store, { id: "known", price: { input: 1, output: 1 }, ...limits });
  await browser.post(`${list}/model?name=known`, { intent: "reset" });
  assertEquals(await getModel(store, "known"), { id: "known", ...limits });
});

testConsole("prices: the list is filtered and ordered by its address", async (console) => {
  const { store, directory } = console;
  const models = ["gpt-5", "house-model", "fast"].map((id) => ({ id }));
  const alias = { id: "fast", upstreamModel: "gpt-5-mini" };
  await createUpstream(store, sample({ models: [...models.slice(0, 2), alias] }));
  await createModel(store, {
    id: "gpt-5",
    price: { input: 99, output: 99 },
    createdAtMs: nowMs,
    origin: "console",
  });
  await directory.refresh();
  const browser = await console.signedIn(administrator);
  const names = async (query: string) =>
    [...(await browser.get(list + query)).html.matchAll(
      /rowheader"[^>]*><a[^>]* href="[^"]*\?name=([\w-]+)"/g,
    )]
      .map(([, id]) => id);
  assertEquals(await names(""), ["fast", "gpt-5", "house-model"]);
  assertEquals(await names("?q=HOUSE"), ["house-model"]);
  assertEquals(await names("?show=unpriced"), ["house-model"]);
  assertEquals(await names("?show=outdated"), ["gpt-5"]);
  assertEquals(await names("?sort=-input"), ["gpt-5", "fast", "house-model"]);
  assertMatch(textOf((await browser.get(`${list}?q=fast`)).html), /\$0\.25 \$2\.00 .*? Catalog/);
  assertStringIncludes(
    textOf((await browser.get(`${list}/model?name=fast`)).html),
    "as gpt-5-mini",
  );
  assertStringIncludes(textOf((await browser.get(`${list}?q=nobody`)).html), "No models match");
  assertStringIncludes((await browser.get(`${list}?q=nobody`)).html, "?name=nobody&amp;set=price");
});

testConsole(
  "prices: what is used without one comes first, and is set in two steps",
  async (console) => {
    const { store, directory } = console;
    await createUpstream(store, sample({ models: [{ id: "gpt-5" }, { id: "house-model" }] }));
    await directory.refresh();
    const usage = { ...noUsage, inputTokens: 1_000, outputTokens: 200 };
    for (const n of [1, 2]) {
      await addCall(store, { id: `req_${n}`, model: "house-model", upstreamId: "vendor", usage });
    }
    await addCall(store, { id: "req_priced", model: "gpt-5", upstreamId: "vendor", usage });
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get(`${list}?show=unpriced`);
    assertMatch(
      textOf(html),
      /Without a price 1 .*? house-model – 100% .*? 2 Not set – – vendor Set price/,
    );
    const href = `${path}&set=price`;
    assertStringIncludes(html, `href="${href.replaceAll("&", "&amp;")}"`);
    const set = (await browser.get(href)).html;
    assertMatch(set, isOpen);
    assertMatch(set, /<input[^>]*name="input"[^>]*autofocus|<input[^>]*autofocus[^>]*name="input"/);
    assert(!isOpen.test((await browser.get(path)).html));
    assertRedirect(await browser.post(path, form), `${path}&done=saved`);
    assertStringIncludes(textOf((await browser.get(`${path}&done=saved`)).html), "Price set.");
    assert(!textOf((await browser.get(list)).html).includes("Without a price"));
  },
);

testConsole("prices: another one is tried on the calls of the last days", async (console) => {
  const { store } = console;
  const call = {
    model: "house-model",
    upstreamId: "vendor",
    usage: { ...noUsage, inputTokens: 1_000_000, outputTokens: 100_000 },
  };
  await addCall(store, { ...callIdAt(1_000, 1), ...call, costNanoUsd: 2_000_000_000n });
  await addCall(store, { ...callIdAt(2_000, 2), ...call });
  await addCall(store, { ...callIdAt(8 * dayMs, 3), ...call });
  await addCall(store, { ...callIdAt(3_000, 4), ...call, model: "other" });
  await addCall(store, { ...callIdAt(4_000, 5), model: "house-model", usage: undefined });
  const browser = await console.signedIn(administrator);
  const answer = await browser.post(path, { ...form, intent: "try" });
  assertStringIncludes(
    textOf(answer.html),
    "Calls 2 Charged $2.00 At the new price $7.00 Difference +$5.00 Calls not charged 1",
  );
  assertStringIncludes(answer.html, 'value="2.50"');
  assertMatch(answer.html, isOpen);
  assertEquals(await getModel(store, "house-model"), undefined);
});

testConsole(
  "prices: those that the catalog states otherwise follow it once that is confirmed",
  async (console) => {
    const { store, directory } = console;
    for (const id of ["gpt-5", "gpt-5-mini", "house-model"]) {
      const price = { input: 99, output: 99 };
      await createModel(store, { id, price, createdAtMs: nowMs, origin: "console" });
    }
    await directory.refresh();
    const browser = await console.signedIn(administrator);
    const compared = textOf((await browser.get(`${list}/proposals`)).html);
    assertStringIncludes(compared, "Input price: $99 →");
    assert(!compared.includes("house-model"));
    const none = await browser.post(`${list}/proposals`, {});
    assertStringIncludes(textOf(none.html), "Select at least one model.");
    const chosen = { model: "gpt-5" };
    const asked = await browser.post(`${list}/proposals`, chosen);
    assertStringIncludes(textOf(asked.html), "Change the price of 1 model?");
    assert(await getModel(store, "gpt-5"));
    const done = await browser.post(`${list}/proposals`, { ...chosen, confirm: "true" });
    assertRedirect(done, `${list}/proposals?done=taken`);
    assertEquals(await getModel(store, "gpt-5"), undefined);
    assert(await getModel(store, "gpt-5-mini"));
    const { entries } = await listAuditEntries(store, { limit: 5 });
    assertEquals(entries.map(({ targetName }) => targetName), ["gpt-5"]);
  },
);

testConsole("prices: members see them, and cannot change them", async (console) => {
  const { store, directory } = console;
  await createUpstream(store, sample({ models: [{ id: "gpt-5" }] }));
  await directory.refresh();
  const browser = await console.signedIn(member);
  const own = `${list}/model?name=gpt-5`;
  const { html } = await browser.get(own);
  assertStringIncludes(textOf(html), "$1.25");
  for (const part of ['name="intent"', "/console/admin/", "Price proposals"]) {
    assert(!html.includes(part), part);
  }
  for (const intent of ["set", "try", "reset", "unschedule"]) {
    assertEquals((await browser.post(own, { ...form, intent })).status, 403);
  }
  assertEquals((await browser.get(`${list}/proposals`)).status, 403);
  assertEquals((await browser.post(`${list}/proposals`, { model: "gpt-5" })).status, 403);
  assertEquals((await browser.get(`${list}/model?name=unserved`)).status, 404);
  assertEquals(await getModel(store, "gpt-5"), undefined);
});

const saved = `${path}&done=saved`;

async function ownPrice(store: Store) {
  return (await getModel(store, "house-model"))?.price;
}

testConsole("prices: setting one can be undone from the next page", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  await browser.post(path, { ...form, input: "0.0000001" });
  console.clock.nowMs += 1;
  await browser.post(path, { ...form, input: "3" });
  console.clock.nowMs += 1;
  assertRedirect(await undone(await browser.get(saved), browser), saved);
  assertEquals(await ownPrice(store), { input: 1e-7, output: 10, cachedInput: 0.25 });
  const [{ changes }] = (await listAuditEntries(store, { limit: 1 })).entries;
  assertEquals(changes, [{ field: "inputPrice", before: "$3", after: "$1e-7" }]);
});

testConsole("prices: undoing the first one deletes it", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post(path, form);
  assertRedirect(await undone(await browser.get(saved), browser), `${path}&done=deleted`);
  assertEquals(await ownPrice(console.store), undefined);
});

testConsole("prices: an undo leaves scheduled prices as they were", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  const later = [{ input: 9, output: 9, from: "2027-01-01T00:00:00Z" }];
  await createModel(store, { ...house, price: later });
  await browser.post(path, form);
  assertEquals((await ownPrice(store) as unknown[]).length, 2);
  assertRedirect(await undone(await browser.get(saved), browser), `${path}&done=deleted`);
  assertEquals(await ownPrice(store), later);
});

testConsole("prices: an undo does not copy the price of the upstream's name", async (console) => {
  const { store, directory } = console;
  await createUpstream(store, sample({ models: [{ id: "fast", upstreamModel: "house-model" }] }));
  await createModel(store, { ...house, price: { input: 7, output: 7 } });
  await directory.refresh();
  const browser = await console.signedIn(administrator);
  const fast = `${list}/model?name=fast`;
  await browser.post(fast, form);
  await undone(await browser.get(`${fast}&done=saved`), browser);
  assertEquals(await getModel(store, "fast"), undefined);
});

for (const before of [undefined, { input: 7, output: 7 }]) {
  const name = before ? "the former price" : "no price";
  testConsole(
    `prices: no undo to ${name} once another administrator changed it`,
    async (console) => {
      const { store } = console;
      const browser = await console.signedIn(administrator);
      if (before) await createModel(store, { ...house, price: before });
      await browser.post(path, form);
      const page = await browser.get(saved);
      await (await console.signedIn(administrator)).post(path, { ...form, input: "4" });
      const refused = await undone(page, browser);
      assertEquals(refused.status, 409);
      assertStringIncludes(textOf(refused.html), "Not undone: the price has changed since.");
      assertStringIncludes(textOf(refused.html), "Input price: $2.5 → $4");
      assertEquals(await ownPrice(store), { input: 4, output: 10, cachedInput: 0.25 });
    },
  );
}

testConsole("prices: the undo is on the page of its model only, and once", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post(path, form);
  await browser.get(path);
  assertEquals(await undoFrom(await browser.get(path), browser), undefined);
  assert(browser.cookies.has("tessera_flash"), "kept for the page that it is for");
  const other = await browser.get(`${list}/model?name=gpt-5&done=saved`);
  assertEquals(await undoFrom(other, browser), undefined);
});

testConsole("prices: no undo to a price that the form cannot write", async (console) => {
  const browser = await console.signedIn(administrator);
  await createModel(console.store, { ...house, price: { input: 1e-12, output: 7 } });
  await browser.post(path, form);
  assertEquals(await undoFrom(await browser.get(saved), browser), undefined);
});

async function undone(page: Page, browser: TestBrowser): Promise<Page> {
  const answer = await undoFrom(page, browser);
  assert(answer, "the page offers an undo");
  return answer;
}
