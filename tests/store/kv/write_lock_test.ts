import { assert, assertEquals, assertRejects } from "@std/assert";
import { WriteLock } from "../../../lib/store/kv/write_lock.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../temp_store.ts";

/** Two isolates' locks on one store, which wait for each other for so long. */
function withLocks(waitMs: number, run: (one: WriteLock, other: WriteLock) => Promise<void>) {
  return withTempFolder(async (folder) => {
    const locks = ["one", "other"].map(() => new WriteLock(`${folder}/a.db`, waitMs));
    await run(locks[0], locks[1]);
    for (const lock of locks) lock.close();
  });
}

Deno.test("write lock: a write starts when that of another isolate has ended", async () => {
  await withLocks(60_000, async (one, other) => {
    const steps: string[] = [];
    const ending = Promise.withResolvers<void>();
    const first = one.hold(async () => {
      await ending.promise;
      steps.push("first");
    });
    const second = other.hold(() => Promise.resolve(steps.push("second")));
    const third = one.hold(() => Promise.resolve(steps.push("third")));
    await passed(50);
    assertEquals(steps, []);
    ending.resolve();
    await Promise.all([first, second, third]);
    assertEquals(steps[0], "first");
    assertEquals(steps.slice(1).sort(), ["second", "third"]);
  });
});

Deno.test("write lock: a write does not wait for longer than its time", async () => {
  await withLocks(20, async (one, other) => {
    const ending = Promise.withResolvers<void>();
    const first = one.hold(() => ending.promise);
    assertEquals(await other.hold(() => Promise.resolve("written")), "written");
    ending.resolve();
    await first;
    assertEquals(await one.hold(() => Promise.resolve("written")), "written");
  });
});

Deno.test("write lock: a write that fails ends, also after the lock was closed", async () => {
  await withLocks(60_000, async (one, other) => {
    await assertRejects(() => one.hold(() => Promise.reject(new Error("no"))), Error, "no");
    assertEquals(await other.hold(() => Promise.resolve("written")), "written");
    const closing = one.hold(async () => {
      one.close();
      await passed(5);
      return "closed";
    });
    assertEquals(await closing, "closed");
    assertEquals(await other.hold(() => Promise.resolve("written")), "written");
  });
});

Deno.test("write lock: its file belongs to the owner of the store", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/a.db`;
    await Deno.writeTextFile(path, "");
    if (Deno.uid() === 0) await Deno.chown(path, 65_534, 65_534);
    const lock = new WriteLock(path);
    await lock.hold(() => Promise.resolve());
    lock.close();
    const files = await Promise.all([path, `${path}.write-lock`].map((file) => Deno.stat(file)));
    assertEquals(files[1].uid, files[0].uid);
  });
});

Deno.test("openStore: every kind of write waits for the lock, and writes without it in the end", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const store = await openStore({ location: { type: "file", path } });
    const elsewhere = new WriteLock(path);
    const ending = Promise.withResolvers<void>();
    const held = elsewhere.hold(() => ending.promise);
    const writes = [
      () => store.kv.set(["a"], 1),
      () => store.kv.delete(["a"]),
      () => store.kv.atomic().set(["b"], 2).commit(),
    ];
    for (const write of writes) {
      const started = performance.now();
      await write();
      assert(performance.now() - started > 15);
    }
    assertEquals([(await store.kv.get(["a"])).value, (await store.kv.get(["b"])).value], [null, 2]);
    ending.resolve();
    await held;
    elsewhere.close();
    store.close();
  });
});

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
