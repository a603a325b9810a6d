import { assert, assertEquals } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { getModel } from "../../lib/store/catalog/mod.ts";
import { startApi } from "./api.ts";

const config = {
  upstreams: [
    {
      id: "up",
      endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
      models: ["gpt-5.1", "acme/large", "house"],
    },
    {
      id: "spare",
      endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
      models: [{ id: "house", upstreamModel: "acme-house" }],
    },
  ],
  models: [{ id: "fixed", price: { input: 1, output: 2 } }],
};
const price = {
  input: "1.25",
  output: "10",
  cached_input: "0.125",
  request: "0.01",
  hosted_tools: { "web-search": "10" },
  tiers: [{ above_input_tokens: 200_000, input: "2.5" }],
};

Deno.test("management: models are listed with what serves and prices them", async () => {
  await using api = await startApi(config);
  const { body } = await api.ask("GET", "/models");
  const rows = body.data.map((row: Record<string, unknown>) => [row.id, row.price_source]);
  assertEquals(rows, [
    ["acme/large", "none"],
    ["fixed", "config"],
    ["gpt-5.1", "catalog"],
    ["house", "none"],
  ]);
  const house = body.data[3];
  assertEquals([house.groups, house.upstreams], [["default"], [
    { id: "spare", upstream_model: "acme-house", enabled: true },
    { id: "up", upstream_model: null, enabled: true },
  ]]);
  const only = await api.ask("GET", "/models?upstream=spare");
  assertEquals(only.body.data.map(({ id }: { id: string }) => id), ["house"]);
  const unpriced = await api.ask("GET", "/models?price_source=none&limit=1");
  assertEquals([unpriced.body.data[0].id, typeof unpriced.body.next_cursor], [
    "acme/large",
    "string",
  ]);
});

Deno.test("management: a price is set, scheduled, rerated and deleted, with audit entries", async () => {
  await using api = await startApi(config);
  const path = "/models/acme%2Flarge";
  const set = await api.ask("POST", `${path}/prices`, { body: { price } });
  assertEquals([set.status, set.body.price, set.body.price_source], [200, price, "own"]);
  assertEquals((await getModel(api.store, "acme/large"))?.price, {
    input: 1.25,
    output: 10,
    cachedInput: 0.125,
    request: 0.01,
    hostedTools: { "web-search": 10 },
    tiers: [{ aboveInputTokens: 200_000, input: 2.5 }],
  });
  const from = "2099-01-01T00:00:00Z";
  const later = { price: { input: "2", output: "20" }, from };
  const scheduled = await api.ask("POST", `${path}/prices`, { body: later });
  assertEquals(scheduled.body.schedule.map((one: { from: string }) => one.from), [
    "1970-01-01T00:00:00Z",
    from,
  ]);
  assertEquals(scheduled.body.price.input, "1.25");
  const trial = await api.ask("POST", `${path}/rerate`, { body: { price: later.price } });
  assertEquals([trial.status, trial.body.calls, trial.body.would_cost], [200, 0, "0.00"]);
  const gone = await api.ask("DELETE", `${path}/prices/${encodeURIComponent(from)}`);
  assertEquals(gone.status, 204);
  assertEquals((await api.ask("DELETE", `${path}/prices/${encodeURIComponent(from)}`)).status, 404);
  assertEquals((await api.ask("DELETE", `${path}/prices`)).status, 204);
  assertEquals(await getModel(api.store, "acme/large"), undefined);
  const { entries } = await listAuditEntries(api.store, { limit: 9 });
  assertEquals(entries.map(({ targetId, action }) => [targetId, action]), [
    ...Array.from({ length: 4 }, () => ["acme/large", "changed"]),
  ]);
});

Deno.test("management: a virtual model is set, read and deleted, with audit entries", async () => {
  await using api = await startApi(config);
  const body = { members: [{ model: "house", share_percent: 10 }, { model: "gpt-5.1" }] };
  const set = await api.ask("POST", "/models/smart/members", { body });
  const none = { causes: null, hours: null, budget_percent: null };
  const any = { ...none, stream: null, tools: null, images: null };
  assertEquals([set.status, set.body.members, set.body.groups], [
    200,
    [{ ...any, model: "house", share_percent: 10 }, {
      ...any,
      model: "gpt-5.1",
      share_percent: null,
    }],
    ["default"],
  ]);
  assertEquals((await getModel(api.store, "smart"))?.members, [
    { model: "house", sharePercent: 10 },
    { model: "gpt-5.1" },
  ]);
  const [{ changes }] = (await listAuditEntries(api.store, { limit: 1 })).entries;
  assertEquals(changes, [{ field: "members", after: "house share=10\ngpt-5.1" }]);
  const twice = { members: [{ model: "house" }, { model: "house" }] };
  const refused = await api.ask("POST", "/models/smart/members", { body: twice });
  assertEquals([refused.status, refused.body.error.param], [400, "members.1.model"]);
  assertEquals((await api.ask("POST", "/models/fixed/members", { body })).status, 409);
  assertEquals((await api.ask("DELETE", "/models/smart/members")).status, 204);
  assertEquals(await getModel(api.store, "smart"), undefined);
});

Deno.test("management: own prices that differ from the catalog are found", async () => {
  await using api = await startApi(config);
  await api.ask("POST", "/models/gpt-5.1/prices", { body: { price } });
  const { body } = await api.ask("GET", "/models?price_source=outdated");
  assertEquals(body.data.map(({ id }: { id: string }) => id), ["gpt-5.1"]);
  assert(body.data[0].catalog_price.input !== price.input || body.data[0].catalog_price);
});

const wrong = [
  [{ price: { input: "1" } }, "price.output"],
  [{ price: { ...price, input: "-1" } }, "input"],
  [{ price: { ...price, input: 1 } }, "price.input"],
  [{ price: { ...price, cached_input: "1e3" } }, "cached_input"],
  [{ price: { ...price, surprise: "1" } }, "price.surprise"],
  [{ price: { ...price, hosted_tools: { "web-search": "x" } } }, "hosted_tools.web-search"],
  [
    { price: { ...price, tiers: [{ above_input_tokens: 0, input: "1" }] } },
    "tiers[0].above_input_tokens",
  ],
  [
    {
      price: {
        ...price,
        tiers: [5, 5].map((above_input_tokens) => ({ above_input_tokens, input: "1" })),
      },
    },
    "tiers[1].above_input_tokens",
  ],
  [{ price, from: "soon" }, "from"],
] as const;

Deno.test("management: wrong prices are refused by the rules of the console, and name the field", async () => {
  await using api = await startApi(config);
  for (const [body, param] of wrong) {
    const answer = await api.ask("POST", "/models/house/prices", { body });
    assertEquals([answer.status, answer.body.error.param], [400, param], JSON.stringify(body));
  }
  assertEquals(await getModel(api.store, "house"), undefined);
  const fixed = await api.ask("POST", "/models/fixed/prices", { body: { price } });
  assertEquals([fixed.status, fixed.body.error.code], [409, "object_protected"]);
  assertEquals((await api.ask("DELETE", "/models/fixed/prices")).status, 409);
  assertEquals((await api.ask("GET", "/models/nobody")).status, 404);
});

Deno.test("management: of two prices with the same ETag, one is refused", async () => {
  await using api = await startApi(config);
  const first = await api.ask("POST", "/models/house/prices", { body: { price } });
  const etag = first.headers.get("etag") ?? "";
  const ask = (input: string) =>
    api.ask("POST", "/models/house/prices", {
      body: { price: { input, output: "1" } },
      headers: { "if-match": etag },
    });
  const statuses = (await Promise.all(["3", "4"].map(ask))).map(({ status }) => status);
  assertEquals(statuses.sort(), [200, 412]);
});
