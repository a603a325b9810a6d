import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Activity } from "../../lib/activity.ts";
import { PriceFeedError, PriceRefresh } from "../../lib/prices/mod.ts";
import { listAlerts } from "../../lib/store/alerts/mod.ts";
import { createUpstream, readPriceFeed } from "../../lib/store/catalog/mod.ts";
import { Directory } from "../../lib/store/directory/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { createSend } from "../../lib/upstreams/mod.ts";
import { callIdAt } from "../console/calls/call_id.ts";
import { addCall, upstreamRecord } from "../console/records.ts";
import { nowMs } from "../console/people.ts";
import { withMemoryStore } from "../store/temp_store.ts";

const million = 1e-6;
const entry = { litellm_provider: "openai", mode: "chat" };
const retiring = { deprecation_date: "2026-12-24", successor_model: "gpt-100" };
/**
 * GPT-5 at another price, two models that the catalog lacks, one that is served nowhere, and one
 * that the list states as at the release, although the catalog corrects it.
 */
const feed = {
  "xai/grok-4.7": {
    litellm_provider: "xai",
    mode: "chat",
    input_cost_per_token: 2 * million,
    cache_read_input_token_cost: 0.5 * million,
    output_cost_per_token: 6 * million,
    input_cost_per_token_above_200k_tokens: 4 * million,
    cache_read_input_token_cost_above_200k_tokens: 1 * million,
    output_cost_per_token_above_200k_tokens: 12 * million,
  },
  "gpt-97": {
    ...entry,
    ...retiring,
    input_cost_per_token: 1 * million,
    output_cost_per_token: 2 * million,
  },
  "gpt-5": { ...entry, input_cost_per_token: 3 * million, output_cost_per_token: 12 * million },
  "gpt-99": {
    ...entry,
    input_cost_per_token: 1 * million,
    output_cost_per_token: 2 * million,
    ...retiring,
  },
  "gpt-98": { ...entry, input_cost_per_token: 1 * million, output_cost_per_token: 2 * million },
};

interface Scene {
  readonly store: Store;
  readonly directory: Directory;
  readonly clock: { nowMs: number };
  readonly reports: string[];
  readonly refresh: PriceRefresh;
}

/** A refresh from an address that answers with `answer`. */
async function withFeed(
  answer: () => Response | Promise<Response>,
  test: (scene: Scene) => Promise<void>,
  daily = false,
): Promise<void> {
  await withMemoryStore(async (store) => {
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
    const models = ["gpt-5", "gpt-97", "gpt-99", "grok-4.7"].map((id) => ({ id }));
    await createUpstream(store, upstreamRecord({ id: "up", models }));
    const directory = await Directory.load(store);
    const send = createSend({ dialFirst: false });
    const clock = { nowMs };
    const reports: string[] = [];
    const refresh = new PriceRefresh(store, directory, {
      settings: { url: `http://127.0.0.1:${server.addr.port}/prices.json`, daily },
      ...{
        send,
        now: () => clock.nowMs,
        activity: new Activity(Infinity),
        retentionMs: 86_400_000,
      },
      report: (_level, message, fields) => void reports.push(`${message} ${fields?.cause ?? ""}`),
      checkMs: 5,
    });
    try {
      await test({ store, directory, clock, reports, refresh });
    } finally {
      await refresh.close();
      send.endAll();
      await directory.close();
      await server.shutdown();
    }
  });
}

Deno.test("a refresh keeps what the feed says about the models in use, and when it said so first", () =>
  withFeed(() => Response.json(feed), async ({ refresh, clock, directory }) => {
    const { models } = await refresh.refresh();
    assertEquals(Object.keys(models).sort(), ["gpt-5", "gpt-97", "gpt-99"]);
    assertEquals([models["gpt-5"].price?.input, models["gpt-5"].price?.output], [3, 12]);
    assertEquals(models["gpt-99"].price, { input: 1, output: 2 });
    clock.nowMs += 1_000;
    assertEquals((await refresh.refresh()).models["gpt-99"].sinceMs, nowMs);
    assertEquals(directory.priceFeed()?.fetchedAtMs, nowMs + 1_000);
  }));

const endless = () =>
  new Response(
    new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1024 * 1024)) }),
  );
const refused: readonly (readonly [name: string, answer: () => Response, reason: string])[] = [
  ["text", () => new Response("not found"), "is no JSON"],
  ["another file", () => Response.json({ a: 1 }), "it has no model with a price"],
  ["an error", () => new Response("", { status: 500 }), "It answered 500"],
  ["a redirect", () => Response.redirect("http://127.0.0.1/other"), "It answered 302"],
  ["too many bytes", endless, "longer than 16777216 bytes"],
];
for (const [name, answer, reason] of refused) {
  Deno.test(`a refresh refuses ${name}, and keeps the last feed`, () =>
    withFeed(answer, async ({ refresh, store }) => {
      const { message } = await assertRejects(() => refresh.refresh(), PriceFeedError);
      assertStringIncludes(message, reason);
      assertEquals(await readPriceFeed(store), undefined);
    }));
}

Deno.test("without `daily`, nothing is fetched; with it, once a day", async () => {
  for (const daily of [false, true]) {
    let fetched = 0;
    const answer = () => {
      fetched++;
      return Response.json(feed);
    };
    await withFeed(answer, async ({ refresh, clock, store }) => {
      refresh.start();
      await until(async () => fetched > 0 || (!daily && await isPassTaken(store)));
      for (let day = 1; day <= 2; day++) {
        const before = fetched;
        clock.nowMs += 86_400_000;
        if (daily) await until(() => Promise.resolve(fetched > before));
      }
    }, daily);
    assertEquals(fetched, daily ? 3 : 0);
  }
});

async function isPassTaken(store: Store): Promise<boolean> {
  return (await store.kv.get(["price_pass"])).value !== null;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("the condition did not become true in two seconds");
}

Deno.test("a model that is called and shut down soon raises one alert", () =>
  withFeed(() => Response.json(feed), async ({ refresh, clock, store, directory }) => {
    const atMs = clock.nowMs - 1_000;
    await addCall(store, { ...callIdAt(nowMs - atMs, 1), model: "gpt-99" });
    refresh.start();
    await until(async () => (await listAlerts(store, { limit: 9 })).alerts.length > 0);
    const before = directory.priceFeed()?.fetchedAtMs ?? 0;
    clock.nowMs += 86_400_000;
    await until(() => Promise.resolve((directory.priceFeed()?.fetchedAtMs ?? 0) > before));
    await refresh.close();
    const { alerts } = await listAlerts(store, { limit: 9 });
    assertEquals(alerts.map(({ type, name, accountId }) => [type, name, accountId]), [
      ["retirement", "gpt-99", undefined],
    ]);
    const [alert] = alerts;
    assert(alert.type === "retirement");
    assertEquals([alert.retires, alert.successor], ["2026-12-24", "gpt-100"]);
  }, true));
