import { assert, assertEquals } from "@std/assert";
import { chunkText, type Store } from "../../../lib/store/mod.ts";
import {
  deleteStoredResponse,
  type ExchangeToStore,
  getItemExchange,
  getStoredResponse,
  readExchanges,
  replaceStoredResponse,
  type StoredResponse,
  storeExchanges,
} from "../../../lib/store/responses/mod.ts";
import { dyingAfter } from "../../ledger/failing_store.ts";
import { testOnStores, withMemoryStore } from "../temp_store.ts";

const retentionMs = 60_000;
const accountId = "usr_a";

function exchangeOf(
  id: string,
  text: string,
): ExchangeToStore & { readonly response: StoredResponse } {
  const exchange = chunkText(`exchange-${id}`, text);
  const response = {
    id,
    accountId,
    createdAtMs: 1,
    expiresAtMs: 1_000,
    exchange,
    before: [],
    itemIds: [`msg-${id}`],
  };
  return { exchange, response, retentionMs };
}

function find(store: Store, id: string, nowMs = 2) {
  return getStoredResponse(store, { accountId, id, nowMs });
}

async function textOf(store: Store, id: string): Promise<string | undefined> {
  const entry = await find(store, id);
  const texts = entry && await readExchanges(store, [entry.response.exchange]);
  return texts?.[0];
}

testOnStores("storeExchanges keeps texts of any length, and finds their items", async (store) => {
  const texts = ["", "é".repeat(40_000), "x".repeat(60_000), "🎈".repeat(200_000)];
  await storeExchanges(store, texts.map((text, at) => exchangeOf(`resp_${at}`, text)));
  for (const [at, text] of texts.entries()) {
    assertEquals(await textOf(store, `resp_${at}`), text);
    assertEquals(
      (await getItemExchange(store, accountId, `msg-resp_${at}`))?.id,
      `exchange-resp_${at}`,
    );
  }
});

Deno.test("storeExchanges shares commits among small exchanges", () =>
  withMemoryStore(async (store) => {
    let commits = 0;
    const counted = dyingAfter(store, 2);
    const exchanges = Array.from(
      { length: 64 },
      (_, at) => exchangeOf(`resp_${at}`, "x".repeat(2_000)),
    );
    await storeExchanges(counted, exchanges).then(() => commits = 2);
    assertEquals(commits, 2, "64 exchanges of 2,000 bytes fit into two commits");
  }));

Deno.test("storeExchanges: whoever dies between two commits leaves no half of a response", () =>
  withMemoryStore(async (store) => {
    const text = "abc".repeat(700_000);
    let isWhole = false;
    for (let commits = 0; !isWhole; commits++) {
      const id = `resp_${commits}`;
      isWhole = await storeExchanges(dyingAfter(store, commits), [exchangeOf(id, text)])
        .then(() => true, () => false);
      assertEquals(await find(store, id) !== undefined, isWhole);
      if (isWhole) assert(commits > 2, "it takes several commits");
      if (isWhole) assertEquals(await textOf(store, id), text);
    }
  }));

Deno.test("a record holds the longest chain and as many ids as it may", () =>
  withMemoryStore(async (store) => {
    const { exchange, response } = exchangeOf("resp_1", "text");
    const before = Array.from({ length: 799 }, (_, at) => ({
      id: `01M804BRYNWMWCPXG709W0B${String(at).padStart(3, "0")}`,
      bytes: 4_000_000 + at,
    }));
    const itemIds = Array.from({ length: 64 }, (_, at) => `msg_${String(at).padStart(196, "0")}`);
    const longest = { ...response, before, itemIds };
    await storeExchanges(store, [{ exchange, response: longest, retentionMs }]);
    assertEquals((await find(store, "resp_1"))?.response.before, before);
  }));

testOnStores(
  "a stored response is the account's own, until it expires or is deleted",
  async (store) => {
    const exchange = exchangeOf("resp_1", "text");
    await storeExchanges(store, [exchange]);
    assertEquals(
      await getStoredResponse(store, { accountId: "usr_b", id: "resp_1", nowMs: 2 }),
      undefined,
    );
    assertEquals(await find(store, "resp_1", 1_000), undefined);
    const entry = await find(store, "resp_1");
    assert(entry);
    await deleteStoredResponse(store, entry.response);
    assertEquals(await find(store, "resp_1"), undefined);
    assertEquals(await readExchanges(store, [entry.response.exchange]), undefined);
    assertEquals(await getItemExchange(store, accountId, "msg-resp_1"), undefined);
  },
);

testOnStores("replaceStoredResponse: of several who change a response one does", async (store) => {
  const { response, exchange } = exchangeOf("resp_1", "first");
  const first = await replaceStoredResponse(store, {
    response,
    exchange,
    versionstamp: null,
    retentionMs,
  });
  assert(first !== undefined);
  const changes = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      replaceStoredResponse(store, {
        response: { ...response, createdAtMs: at },
        versionstamp: first,
        retentionMs,
      })),
  );
  assertEquals(changes.filter((version) => version !== undefined).length, 1);
});
