import { assert, assertEquals, assertRejects } from "@std/assert";
import { sealFormerContents } from "../../../lib/store/api_keys/mod.ts";
import { keys } from "../../../lib/store/keys.ts";
import { chunkText, openStore, type Store, StoreError } from "../../../lib/store/mod.ts";
import {
  getConversation,
  getEventPack,
  putEventPacks,
  readExchanges,
  setConversation,
  storeExchanges,
} from "../../../lib/store/responses/mod.ts";
import { testOnStores, withMemoryStore, withTempFolder } from "../temp_store.ts";

const retentionMs = 60_000;
const said = "what was said ".repeat(10_000);
const options = { retentionMs, signal: new AbortController().signal };

/** As releases before sealing stored a text: its bytes, in values of 60,000. */
async function setFormerText(store: Store, id: string): Promise<void> {
  const { chunks } = chunkText(id, said);
  for (const [at, chunk] of chunks.entries()) {
    await store.kv.set(keys.textChunk(id, String(at).padStart(5, "0")), chunk);
  }
}

async function clearValues(store: Store): Promise<number> {
  let count = 0;
  for await (const { value } of store.kv.list({ prefix: keys.textChunks })) {
    if (value instanceof Uint8Array) count++;
  }
  return count;
}

const place = (id: string) => ({ id, bytes: new TextEncoder().encode(said).length });

testOnStores(
  "contents of an earlier release are read, sealed once, and read again",
  async (store) => {
    const ids = Array.from({ length: 20 }, (_, at) => `former-${String(at).padStart(2, "0")}`);
    for (const id of ids) await setFormerText(store, id);
    const conversation = {
      id: "conv_a",
      accountId: "usr_a",
      createdAtMs: 1,
      expiresAtMs: Date.now() + retentionMs,
      metadata: { topic: "said", sealed: "a name like any other" },
    };
    await store.kv.set(keys.conversation("usr_a", "conv_a"), conversation);
    const read = () => readExchanges(store, ids.map(place));
    assertEquals(await read(), ids.map(() => said));
    assertEquals(await getConversation(store, conversation, 1), conversation);
    assertEquals(await sealFormerContents(store, options), 61, "60 chunks and a conversation");
    assertEquals(await clearValues(store), 0);
    assertEquals(await read(), ids.map(() => said));
    assertEquals(await getConversation(store, conversation, 1), conversation);
    const { value } = await store.kv.get(keys.conversation("usr_a", "conv_a"));
    assert(!JSON.stringify(value).includes("topic"));
    assertEquals(await sealFormerContents(store, options), 0);
  },
);

Deno.test("sealing contents of an earlier release goes on where it was interrupted", () =>
  withMemoryStore(async (store) => {
    for (let at = 0; at < 20; at++) await setFormerText(store, `former-${at}`);
    const abort = new AbortController();
    const { get } = store.kv;
    let turns = 0;
    Object.assign(store.kv, {
      get: (...args: Parameters<Deno.Kv["get"]>) => {
        if (args[0][0] === "contents_sealed" && ++turns === 2) abort.abort();
        return get.apply(store.kv, args);
      },
    });
    const first = await sealFormerContents(store, { retentionMs, signal: abort.signal });
    assert(first > 0 && first < 60, `${first} of 60`);
    assertEquals(await clearValues(store), 60 - first);
    assertEquals(await sealFormerContents(store, options), 60 - first);
    assertEquals(await clearValues(store), 0);
  }));

Deno.test("sealing contents goes on at the next start where a process died at it", () =>
  withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    const first = await openStore({ location });
    for (let at = 0; at < 20; at++) await setFormerText(first, `former-${at}`);
    const signal = AbortSignal.any([]);
    const { atomic } = first.kv;
    let commits = 0;
    Object.assign(first.kv, {
      atomic: () => {
        if (++commits > 30) throw new Error("It dies here");
        return atomic.call(first.kv);
      },
    });
    await assertRejects(() => sealFormerContents(first, { retentionMs, signal }));
    first.close();
    const second = await openStore({ location });
    const left = await clearValues(second);
    assert(left > 0 && left < 60, `${left} of 60`);
    assertEquals(await sealFormerContents(second, options), left);
    assertEquals(await clearValues(second), 0);
    second.close();
  }));

Deno.test("sealing contents: of two isolates one does it", () =>
  withMemoryStore(async (store) => {
    for (let at = 0; at < 20; at++) await setFormerText(store, `former-${at}`);
    const counts = await Promise.all([
      sealFormerContents(store, options),
      sealFormerContents(store, options),
    ]);
    assertEquals(counts.reduce((sum, count) => sum + count), 60);
    assertEquals(await clearValues(store), 0);
  }));

testOnStores("a sealed value opens only where it was stored", async (store) => {
  const response = { accountId: "usr_a", id: "resp_1" };
  const pack = new TextEncoder().encode("event");
  await putEventPacks(store, response, { from: 0, packs: [pack] });
  assertEquals(await getEventPack(store, response, 0), pack);
  const moved = await store.kv.get(keys.responseEvents("usr_a", "resp_1", "000000"));
  await store.kv.set(keys.responseEvents("usr_b", "resp_1", "000000"), moved.value);
  const error = await assertRejects(
    () => getEventPack(store, { accountId: "usr_b", id: "resp_1" }, 0),
    StoreError,
  );
  assertEquals(error.code, "unreadable");
});

Deno.test("a changed secret is reported in one line, once at open and at each read of content", () =>
  withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    const conversation = {
      id: "conv_a",
      accountId: "usr_a",
      createdAtMs: 1,
      expiresAtMs: Date.now() + retentionMs,
      metadata: {},
    };
    const first = await openStore({ location, secret: "one" });
    assertEquals(first.notices, []);
    await storeExchanges(first, [{ exchange: chunkText("a", said), retentionMs }]);
    await setConversation(first, conversation, retentionMs);
    first.close();
    const wrong = await openStore({ location, secret: "two" });
    assertEquals(wrong.notices.length, 1);
    assert(/another secret.*TESSERA_SECRET/.test(wrong.notices[0]), wrong.notices[0]);
    assert(!wrong.notices[0].includes("\n"));
    for (
      const read of [
        () => readExchanges(wrong, [place("a")]),
        () => getConversation(wrong, conversation, 1),
      ]
    ) {
      const error = await assertRejects(read, StoreError);
      assertEquals(error.code, "unreadable");
      assert(!error.message.includes("\n"), error.message);
    }
    wrong.close();
    const again = await openStore({ location, secret: "two" });
    assertEquals(again.notices, []);
    again.close();
  }));

Deno.test("sealing 500 KB takes milliseconds", () =>
  withMemoryStore(async (store) => {
    const text = "x".repeat(500_000);
    const times = [];
    for (let at = 0; at < 20; at++) {
      const exchange = chunkText(`text-${at}`, text);
      const startedAt = performance.now();
      const sealing = exchange.chunks.map((chunk) => store.secretBox.sealContent(chunk, "a"));
      await Promise.all(sealing);
      times.push(performance.now() - startedAt);
    }
    const median = times.toSorted((a, b) => a - b)[10];
    assert(median < 25, `${median} ms`);
  }));
