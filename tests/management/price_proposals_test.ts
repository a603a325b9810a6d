import { assertEquals } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { getModel, writePriceFeed } from "../../lib/store/catalog/mod.ts";
import { noUsage } from "../../lib/canonical/mod.ts";
import { callIdAt } from "../console/calls/call_id.ts";
import { nowMs } from "../console/people.ts";
import { addCall } from "../console/records.ts";
import { startApi, type TestApi } from "./api.ts";

const config = {
  upstreams: [{
    id: "up",
    endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
    models: ["gpt-5.1", "gpt-99", "fixed"],
  }],
  models: [{ id: "fixed", price: { input: 1, output: 2 } }],
};

/** A feed with a higher price of one model, and one for a model that has none. */
async function feed({ store }: TestApi): Promise<void> {
  const news = {
    sinceMs: Date.parse("2026-11-30T08:00:00Z"),
    page: "https://vendor.example/price",
  };
  await writePriceFeed(store, {
    url: "https://feed.example/prices.json",
    fetchedAtMs: Date.parse("2026-11-30T09:00:00Z"),
    models: {
      "gpt-5.1": { ...news, price: { input: 2.5, output: 20 } },
      "gpt-99": { ...news, price: { input: 1, output: 2 } },
      fixed: { ...news, price: { input: 9, output: 9 } },
    },
  });
}

async function priceOf(api: TestApi, id: string) {
  const { body } = await api.ask("GET", `/models/${id}`);
  return [body.price_source, body.price?.input];
}

Deno.test("management: proposals name old, new, source and since when, and change nothing", async () => {
  await using api = await startApi(config);
  await feed(api);
  const { body } = await api.ask("GET", "/prices/proposals");
  assertEquals(body.data.map(({ model }: { model: string }) => model), ["gpt-5.1", "gpt-99"]);
  const [known, fresh] = body.data;
  assertEquals([known.price.input, known.proposed.input, known.feed, known.page, known.since], [
    "1.25",
    "2.5",
    "https://feed.example/prices.json",
    "https://vendor.example/price",
    "2026-11-30T08:00:00.000Z",
  ]);
  assertEquals([fresh.price, fresh.proposed.output], [null, "2"]);
  assertEquals(await priceOf(api, "gpt-5.1"), ["catalog", "1.25"]);
});

Deno.test("management: a proposal is tried on last week's calls", async () => {
  await using api = await startApi(config);
  await feed(api);
  const usage = { ...noUsage, inputTokens: 1_000_000 };
  const call = { model: "gpt-5.1", upstreamId: "up", usage, costNanoUsd: 1_250_000_000n };
  await addCall(api.store, { ...callIdAt(nowMs - Date.now() + 60_000, 1), ...call });
  const { body } = await api.ask("POST", "/prices/proposals/try", {
    body: { models: ["gpt-5.1"] },
  });
  const [{ model, calls, cost, would_cost }] = body.models;
  assertEquals([model, calls, cost, would_cost], ["gpt-5.1", 1, "1.25", "2.50"]);
});

Deno.test("management: proposals are taken in one step, audited, and undone", async () => {
  await using api = await startApi(config);
  await feed(api);
  const models = ["gpt-5.1", "gpt-99", "fixed", "unknown"];
  const taken = await api.ask("POST", "/prices/takes", { body: { models } });
  assertEquals([taken.status, taken.body.models], [200, ["gpt-5.1", "gpt-99"]]);
  assertEquals(await priceOf(api, "gpt-5.1"), ["own", "2.5"]);
  assertEquals(await priceOf(api, "gpt-99"), ["own", "1"]);
  assertEquals((await api.ask("GET", "/prices/proposals")).body.data, []);
  const { entries } = await listAuditEntries(api.store, { limit: 2 });
  assertEquals(entries.map(({ targetId }) => targetId).sort(), ["gpt-5.1", "gpt-99"]);
  const changes = entries.find(({ targetId }) => targetId === "gpt-5.1")?.changes ?? [];
  assertEquals(changes.find(({ field }) => field === "inputPrice"), {
    field: "inputPrice",
    before: "$1.25",
    after: "$2.5",
  });

  const { id } = taken.body;
  const undone = await api.ask("POST", `/prices/takes/${id}/undo`);
  assertEquals([undone.status, typeof undone.body.undone_at], [200, "string"]);
  assertEquals(await priceOf(api, "gpt-5.1"), ["catalog", "1.25"]);
  assertEquals(await priceOf(api, "gpt-99"), ["none", undefined]);
  assertEquals(await getModel(api.store, "gpt-99"), undefined);
  assertEquals((await api.ask("POST", `/prices/takes/${id}/undo`)).status, 404);
  const { body } = await api.ask("GET", "/prices/takes");
  assertEquals(body.data.map((one: { id: string }) => one.id), [id]);
});

Deno.test("management: a proposal with a start keeps the present price until then", async () => {
  await using api = await startApi(config);
  await feed(api);
  const from = "2099-01-01T00:00:00Z";
  await api.ask("POST", "/prices/takes", { body: { models: ["gpt-5.1"], from } });
  const { body } = await api.ask("GET", "/models/gpt-5.1");
  assertEquals([body.price.input, body.schedule.map((one: { from: string }) => one.from)], [
    "1.25",
    ["1970-01-01T00:00:00Z", from],
  ]);
});

Deno.test("management: an undo leaves a price that has changed since", async () => {
  await using api = await startApi(config);
  await feed(api);
  const taken = await api.ask("POST", "/prices/takes", { body: { models: ["gpt-5.1", "gpt-99"] } });
  const price = { input: "7", output: "7" };
  await api.ask("DELETE", "/models/gpt-99/prices");
  await api.ask("POST", "/models/gpt-99/prices", { body: { price } });
  await api.ask("POST", `/prices/takes/${taken.body.id}/undo`);
  assertEquals(await priceOf(api, "gpt-99"), ["own", "7"]);
  assertEquals(await priceOf(api, "gpt-5.1"), ["catalog", "1.25"]);
});

Deno.test("management: own prices that differ from the catalog are proposals, which delete them", async () => {
  await using api = await startApi(config);
  await api.ask("POST", "/models/gpt-5.1/prices", { body: { price: { input: "3", output: "4" } } });
  const { body } = await api.ask("GET", "/prices/proposals");
  assertEquals(body.data.map(({ model }: { model: string }) => model), ["gpt-5.1"]);
  await api.ask("POST", "/prices/takes", { body: { models: ["gpt-5.1"] } });
  assertEquals(await getModel(api.store, "gpt-5.1"), undefined);
  assertEquals(await priceOf(api, "gpt-5.1"), ["catalog", "1.25"]);
});

Deno.test("management: a token that only reads takes, undoes and refreshes nothing", async () => {
  await using api = await startApi(config);
  await feed(api);
  const token = await api.newToken({ scopes: ["models:read"] });
  for (const path of ["/prices/refresh", "/prices/takes", "/prices/takes/x/undo"]) {
    const body = path === "/prices/takes" ? { body: { models: ["gpt-5.1"] } } : {};
    assertEquals((await api.ask("POST", path, { token, ...body })).status, 403, path);
  }
  assertEquals(await priceOf(api, "gpt-5.1"), ["catalog", "1.25"]);
});
