import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { encodedRanges, keys } from "../../../lib/store/keys.ts";
import { expiring } from "../../../lib/store/kv/lifetimes.ts";
import { openStore, rewriteFormerValues, Store } from "../../../lib/store/mod.ts";
import { countFormer, makeFormer } from "../former_store.ts";
import { withTempFolder } from "../temp_store.ts";
import { addCredit, contentOf, creditOf, fillStore, secret } from "../version_store.ts";

const options = { retentionMs: 3_600_000, signal: new AbortController().signal };

/** Runs a test on a store of an earlier release, given its content as this release reads it. */
async function withFormerStore(
  run: (store: Store, former: { readonly path: string; readonly content: string }) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const location = { type: "file", path } as const;
    const filled = await openStore({ location, secret });
    await fillStore(filled);
    const content = await contentOf(filled);
    filled.close();
    await makeFormer(path);
    const store = await openStore({ location, secret });
    try {
      await run(store, { path, content });
    } finally {
      store.close();
    }
  });
}

Deno.test("a store of an earlier release works at once, and its values are rewritten once", () =>
  withFormerStore(async (store, { path, content }) => {
    const former = await countFormer(path);
    assert(former > 20, `${former}`);
    assertEquals(await contentOf(store), content);
    await addCredit(store, "second", 1n);
    assertEquals(await creditOf(store), 5_000_000_001n);
    const left = await countFormer(path);
    assertEquals(await rewriteFormerValues(store, options), left);
    assertEquals(await countFormer(path), 0);
    assertEquals(await contentOf(store), content);
    assertEquals((await store.kv.get(keys.format)).value, new Deno.KvU64(5n));
    assertEquals(await rewriteFormerValues(store, options), 0);
  }));

Deno.test("rewriting keeps the time at which a value expires", () =>
  withFormerStore(async (store, { path }) => {
    await rewriteFormerValues(store, options);
    const database = new DatabaseSync(path);
    const rows = database.prepare("SELECT k, expiration_ms AS at FROM kv").all();
    database.close();
    const expires = new Map(rows.map(({ k, at }) => [firstPartOf(k as Uint8Array), Number(at)]));
    const soon = Date.now() + options.retentionMs;
    for (const first of ["session", "response", "conversation", "response_item", "kept_text"]) {
      const at = expires.get(first) ?? 0;
      assert(at > soon - 60_000 && at <= soon + 60_000, `${first}: ${at - soon}`);
    }
    for (const first of ["user", "wallet", "allowance", "ledger_entry", "upstream", "isolate"]) {
      assertEquals(expires.get(first), -1, first);
    }
  }));

/** A key starts with its first part: 0x02, the text, 0x00. */
function firstPartOf(key: Uint8Array): string {
  return new TextDecoder().decode(key.subarray(1, key.indexOf(0)));
}

Deno.test("rewriting goes on at the next start where a process died at it", () =>
  withFormerStore(async (store, { path, content }) => {
    const left = await countFormer(path);
    const { atomic } = store.kv;
    let commits = 0;
    Object.assign(store.kv, {
      atomic: () => {
        if (++commits > 30) throw new Error("It dies here");
        return atomic.call(store.kv);
      },
    });
    await rewriteFormerValues(store, options).catch(() => {});
    assertEquals((await store.kv.get(keys.format)).value, null);
    Object.assign(store.kv, { atomic });
    const next = new Store(store.kv, { ...store, runId: "next" });
    const again = await rewriteFormerValues(next, options);
    assert(again > 0 && again < left, `${again} of ${left}`);
    assertEquals(await countFormer(path), 0);
    assertEquals(await contentOf(next), content);
  }));

Deno.test("rewriting: of two isolates one does it, and a concurrent change is not lost", () =>
  withFormerStore(async (store, { path }) => {
    const [one, other] = await Promise.all([
      rewriteFormerValues(store, options),
      rewriteFormerValues(store, options),
      ...Array.from({ length: 20 }, (_, n) => addCredit(store, `concurrent ${n}`, 1n)),
    ]);
    assert(one === 0 || other === 0, `${one}, ${other}`);
    assertEquals(await creditOf(store), 5_000_000_020n);
    assertEquals(await countFormer(path), 0);
  }));

Deno.test("every expiring kind of value is a kind of the store's keys", () => {
  const firstParts = new Set(encodedRanges.map(({ start }) => start[0]));
  assertEquals(expiring.filter((first) => !firstParts.has(first)), []);
});
