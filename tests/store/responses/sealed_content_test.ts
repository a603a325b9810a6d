import { assert, assertEquals, assertRejects } from "@std/assert";
import { keys } from "../../../lib/store/keys.ts";
import { chunkText, openStore, StoreError } from "../../../lib/store/mod.ts";
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

const place = (id: string) => ({ id, bytes: new TextEncoder().encode(said).length });

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
