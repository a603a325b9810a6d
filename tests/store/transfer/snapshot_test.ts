import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openStore, type Store, StoreError } from "../../../lib/store/mod.ts";
import { restoreStore, snapshotStore } from "../../../lib/store/transfer/mod.ts";
import { mountSmallDisk } from "../../e2e/outage/small_disk.ts";
import { startHolder } from "../store_holder.ts";
import { withTempFolder, withTempStore } from "../temp_store.ts";

const nowMs = Date.parse("2026-11-23T12:00:00Z");

/** Adds entries of about 20 KB each. */
async function fill(store: Store, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await store.kv.set(["group", at], "x".repeat(20_000));
}

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

async function valueIn(path: string): Promise<unknown> {
  const store = await openStore({ location: { type: "file", path }, isAudited: true });
  const { value } = await store.kv.get(["group", "a"]);
  store.close();
  return value;
}

Deno.test("snapshotStore: copies the latest commits of an open store, without deleted ones, for its owner only", async () => {
  await withTempStore(async (store, path) => {
    await fill(store, 50);
    for (let at = 0; at < 50; at++) await store.kv.delete(["group", at]);
    await store.kv.set(["group", "a"], "latest");
    const target = `${path}-copy.db`;
    const bytes = await snapshotStore(path, { target });
    assertEquals((await Deno.stat(target)).size, bytes);
    assert(bytes < 200_000, `${bytes} bytes`);
    if (Deno.build.os !== "windows") assertEquals((await Deno.stat(target)).mode! & 0o777, 0o600);
    assertEquals(await valueIn(target), "latest");
    await store.kv.set(["group", "a"], "later"); // the store is still in use
    assertEquals(await valueIn(target), "latest");
  });
});

Deno.test("snapshotStore: removes drafts of ended processes, and no other files", async () => {
  await withTempStore(async (_, path) => {
    const target = `${path}-copy.db`;
    const draft = (number: number) =>
      `${target}.00000000-0000-0000-0000-00000000000${number}.draft.db`;
    for (const name of [draft(1), draft(2), `${target}.draft.db`]) {
      await Deno.writeFile(name, new Uint8Array(1));
    }
    const old = new Date(Date.now() - 7_200_000);
    for (const name of [draft(1), `${target}.draft.db`]) await Deno.utime(name, old, old);
    await snapshotStore(path, { target });
    const left = (await namesIn(dirname(path))).filter((name) => name.includes("draft"));
    assertEquals(left, [draft(2), `${target}.draft.db`].map((name) => basename(name)));
  });
});

Deno.test("snapshotStore: refuses a missing, a damaged and a foreign file, and leaves no draft", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const target = `${folder}/copies/copy.db`;
    await Deno.mkdir(`${folder}/copies`);
    const copy = () => snapshotStore(path, { target });
    await assertRejects(copy, StoreError, `No store at ${path}. Set TESSERA_KV`);
    await Deno.writeTextFile(`${path}.lock`, "1");
    await assertRejects(copy, StoreError, "missing or empty");
    await Deno.writeFile(path, crypto.getRandomValues(new Uint8Array(65_536)));
    await assertRejects(copy, StoreError, "damaged");
    await Deno.remove(path);
    using database = new DatabaseSync(path);
    database.exec("CREATE TABLE other (a)");
    await assertRejects(copy, StoreError, "not a store of Tessera");
    assertEquals(await namesIn(`${folder}/copies`), []);
  });
});

Deno.test("snapshotStore: names the target if it cannot be written", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    (await openStore({ location: { type: "file", path } })).close();
    const target = `${folder}/${"long".repeat(60)}`;
    const { message } = await assertRejects(() => snapshotStore(path, { target }), StoreError);
    assertEquals(message, `Cannot write ${target}: File name too long (os error 36)`);
  });
});

Deno.test("snapshotStore: a full disk is named, and nothing is left on it", async () => {
  await using disk = await mountSmallDisk(2);
  if (!disk) return;
  await withTempStore(async (store, path) => {
    await fill(store, 200);
    const target = `${disk.path}/copy.db`;
    await assertRejects(
      () => snapshotStore(path, { target }),
      StoreError,
      `the disk of ${target} is full`,
    );
    assertEquals(await namesIn(disk.path), []);
  });
});

async function write(path: string, value: string): Promise<void> {
  const store = await openStore({ location: { type: "file", path } });
  await store.kv.set(["group", "a"], value);
  store.close();
}

const accepting = { nowMs, verify: () => Promise.resolve() };

Deno.test("restoreStore: replaces a stopped store and keeps the former one", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const from = `${folder}/backup`;
    await write(path, "first");
    await snapshotStore(path, { target: from });
    await write(path, "second");
    const former = await restoreStore(path, { ...accepting, from });
    assertEquals(former, `${path}.before-restore-2026-11-23T12-00-00.000Z`);
    assertEquals([await valueIn(path), await valueIn(former ?? "")], ["first", "second"]);
  });
});

Deno.test("restoreStore: the former store stays in place if the copy is refused", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    await write(path, "present");
    await Deno.writeTextFile(`${folder}/text`, "no store");
    await assertRejects(
      () => restoreStore(path, { ...accepting, from: `${folder}/text` }),
      StoreError,
      `${folder}/text: it is damaged, or is not a store`,
    );
    const verify = () => Promise.reject(new Error("refused"));
    const refused = () => restoreStore(path, { nowMs, verify, from: path });
    await assertRejects(refused, Error, "refused");
    assertEquals(await valueIn(path), "present");
    assertEquals(
      await namesIn(folder),
      ["secret", "tessera.db", "tessera.db.lock", "tessera.db.write-lock", "text"],
    );
  });
});

Deno.test("restoreStore: refuses a store that another process uses", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const from = `${folder}/backup`;
    await write(path, "present");
    await snapshotStore(path, { target: from });
    const restore = () => restoreStore(path, { ...accepting, from });
    const holder = await startHolder(path);
    await assertRejects(restore, StoreError, `process ${holder.pid} already uses it`);
    await holder.kill();
    assertEquals(await restore() !== undefined, true);
  });
});

Deno.test("restoreStore: refuses a backup of a later release", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    await write(path, "present");
    const kv = await Deno.openKv(path);
    await kv.set(["format"], new Deno.KvU64(9n));
    kv.close();
    const restore = () => restoreStore(`${folder}/other.db`, { ...accepting, from: path });
    await assertRejects(restore, StoreError, "it has format 9");
  });
});
