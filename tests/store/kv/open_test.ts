import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { getGroup } from "../../../lib/store/catalog/mod.ts";
import { keys } from "../../../lib/store/keys.ts";
import { openStore, StoreError } from "../../../lib/store/mod.ts";
import { startHolder } from "../store_holder.ts";
import { withTempFolder } from "../temp_store.ts";
import { startIsolate } from "../worker_isolate.ts";

Deno.test("openStore refuses a second process, and opens as soon as the first was killed", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const location = { type: "file", path } as const;
    const holder = await startHolder(path);
    const error = await assertRejects(() => openStore({ location }), StoreError);
    assertEquals(error.code, "locked");
    assertEquals(
      error.message,
      `Cannot open the store ${path}: process ${holder.pid} already uses it; stop it, or point both at a denokv server with TESSERA_KV=https://…`,
    );
    await holder.kill();
    const store = await openStore({ location });
    assertEquals((await getGroup(store, "from-process"))?.id, "from-process");
    store.close();
  });
});

Deno.test("openStore lets every isolate of a process in, and others only after the last left", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const location = { type: "file", path } as const;
    const first = await openStore({ location });
    const isolate = startIsolate();
    assertEquals(await isolate.ask({ type: "open", path }), first.runId);
    first.close();
    await assertRejects(() => startHolder(path));
    await isolate.ask({ type: "close" });
    isolate.end();
    const holder = await startHolder(path);
    await holder.kill();
  });
});

Deno.test("openStore has another run id at each start", async () => {
  await withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    const first = await openStore({ location });
    first.close();
    const second = await openStore({ location });
    assertNotEquals(second.runId, first.runId);
    second.close();
  });
});

Deno.test("openStore makes its folder and a secret that only its owner may read", async () => {
  await withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/data/tessera.db` } as const;
    const stores = await Promise.all([openStore({ location }), openStore({ location })]);
    const sealed = await stores[0].secretBox.seal("plain", "a");
    assertEquals(await stores[1].secretBox.open(sealed, "a"), "plain");
    for (const store of stores) store.close();
    const again = await openStore({ location });
    assertEquals(await again.secretBox.open(sealed, "a"), "plain");
    again.close();
    const { mode } = await Deno.stat(`${folder}/data/secret`);
    if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o600);
    const files = [...Deno.readDirSync(`${folder}/data`)].map(({ name }) => name);
    assert(!files.some((name) => name.startsWith("secret.")), files.join());
  });
});

Deno.test("openStore refuses an empty secret file and lets go of the lock", async () => {
  await withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    await Deno.writeTextFile(`${folder}/secret`, "\n");
    const error = await assertRejects(() => openStore({ location }), StoreError);
    assertEquals(error.code, "unreadable");
    const store = await openStore({ location, secret: "given" });
    store.close();
  });
});

Deno.test("openStore requires a secret for a store that processes share", async () => {
  const location = { type: "server", url: "http://127.0.0.1:1" } as const;
  await assertRejects(() => openStore({ location }), StoreError, "TESSERA_SECRET must be set");
});

for (const format of [0n, 2n, 99n]) {
  Deno.test(`openStore refuses a store of format ${format} and changes nothing`, async () => {
    await withTempFolder(async (folder) => {
      const path = `${folder}/tessera.db`;
      {
        using kv = await Deno.openKv(path);
        await kv.set(["group", "team"], 1);
        if (format > 0n) await kv.set(keys.format, new Deno.KvU64(format));
      }
      const says = `it has format ${format}, this release reads format 1. Export it`;
      const location = { type: "file", path } as const;
      await assertRejects(() => openStore({ location, secret: "s" }), StoreError, says);
      using kv = await Deno.openKv(path);
      assertEquals((await Array.fromAsync(kv.list({ prefix: [] }))).length, format > 0n ? 2 : 1);
    });
  });
}
