import { assert, assertEquals } from "@std/assert";
import {
  deleteStoredResponse,
  getItemTurn,
  getStoredResponse,
  readTurns,
  replaceStoredResponse,
  type Store,
  type StoredResponse,
  storeTurns,
  textToKeep,
  type TurnToStore,
} from "../../lib/store/mod.ts";
import { dyingAfter } from "../ledger/failing_store.ts";
import { testOnStores, withMemoryStore } from "./temp_store.ts";

const retentionMs = 60_000;
const accountId = "usr_a";

function turnOf(id: string, text: string): TurnToStore & { readonly response: StoredResponse } {
  const turn = textToKeep(`turn-${id}`, text);
  const response = {
    id,
    accountId,
    createdAtMs: 1,
    expiresAtMs: 1_000,
    turn,
    before: [],
    itemIds: [`msg-${id}`],
  };
  return { turn, response, retentionMs };
}

function find(store: Store, id: string, nowMs = 2) {
  return getStoredResponse(store, { accountId, id, nowMs });
}

async function textOf(store: Store, id: string): Promise<string | undefined> {
  const entry = await find(store, id);
  const texts = entry && await readTurns(store, [entry.response.turn]);
  return texts?.[0];
}

testOnStores("storeTurns keeps texts of any length, and finds their items", async (store) => {
  const texts = ["", "é".repeat(40_000), "x".repeat(60_000), "🎈".repeat(200_000)];
  await storeTurns(store, texts.map((text, at) => turnOf(`resp_${at}`, text)));
  for (const [at, text] of texts.entries()) {
    assertEquals(await textOf(store, `resp_${at}`), text);
    assertEquals((await getItemTurn(store, accountId, `msg-resp_${at}`))?.id, `turn-resp_${at}`);
  }
});

Deno.test("storeTurns shares commits among small turns", () =>
  withMemoryStore(async (store) => {
    let commits = 0;
    const counted = dyingAfter(store, 2);
    const turns = Array.from({ length: 64 }, (_, at) => turnOf(`resp_${at}`, "x".repeat(2_000)));
    await storeTurns(counted, turns).then(() => commits = 2);
    assertEquals(commits, 2, "64 turns of 2,000 bytes fit into two commits");
  }));

Deno.test("storeTurns: whoever dies between two commits leaves no half of a response", () =>
  withMemoryStore(async (store) => {
    const text = "abc".repeat(700_000);
    let isWhole = false;
    for (let commits = 0; !isWhole; commits++) {
      const id = `resp_${commits}`;
      isWhole = await storeTurns(dyingAfter(store, commits), [turnOf(id, text)])
        .then(() => true, () => false);
      assertEquals(await find(store, id) !== undefined, isWhole);
      if (isWhole) assert(commits > 2, "it takes several commits");
      if (isWhole) assertEquals(await textOf(store, id), text);
    }
  }));

testOnStores(
  "a stored response is the account's own, until it expires or is deleted",
  async (store) => {
    const turn = turnOf("resp_1", "text");
    await storeTurns(store, [turn]);
    assertEquals(
      await getStoredResponse(store, { accountId: "usr_b", id: "resp_1", nowMs: 2 }),
      undefined,
    );
    assertEquals(await find(store, "resp_1", 1_000), undefined);
    const entry = await find(store, "resp_1");
    assert(entry);
    await deleteStoredResponse(store, entry.response);
    assertEquals(await find(store, "resp_1"), undefined);
    assertEquals(await readTurns(store, [entry.response.turn]), undefined);
    assertEquals(await getItemTurn(store, accountId, "msg-resp_1"), undefined);
  },
);

testOnStores("replaceStoredResponse: of several who change a response one does", async (store) => {
  const { response, turn } = turnOf("resp_1", "first");
  const first = await replaceStoredResponse(store, {
    response,
    turn,
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
