import { assertEquals, assertRejects } from "@std/assert";
import { Turns } from "../../../lib/store/kv/turns.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../temp_store.ts";

Deno.test("turns: a write starts when that of another isolate has ended", async () => {
  await withTempFolder(async (folder) => {
    const [one, other] = [new Turns(`${folder}/a.db`), new Turns(`${folder}/a.db`)];
    const steps: string[] = [];
    const ending = Promise.withResolvers<void>();
    const first = one.take(async () => {
      steps.push("first starts");
      await ending.promise;
      steps.push("first ends");
    });
    const second = other.take(() => Promise.resolve(steps.push("second")));
    const third = one.take(() => Promise.resolve(steps.push("third")));
    await later();
    assertEquals(steps, ["first starts"]);
    ending.resolve();
    await Promise.all([first, second, third]);
    assertEquals(steps.slice(0, 2), ["first starts", "first ends"]);
    assertEquals(steps.slice(2).sort(), ["second", "third"]);
    for (const turns of [one, other]) turns.close();
  });
});

Deno.test("turns: a write that fails ends its turn, also after the file was closed", async () => {
  await withTempFolder(async (folder) => {
    const [one, other] = [new Turns(`${folder}/a.db`), new Turns(`${folder}/a.db`)];
    await assertRejects(() => one.take(() => Promise.reject(new Error("no"))), Error, "no");
    assertEquals(await other.take(() => Promise.resolve("written")), "written");
    const closing = one.take(async () => {
      one.close();
      await later();
      return "closed";
    });
    assertEquals(await closing, "closed");
    assertEquals(await other.take(() => Promise.resolve("written")), "written");
    other.close();
  });
});

Deno.test("openStore: every kind of write takes its turn", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const store = await openStore({ location: { type: "file", path } });
    const elsewhere = new Turns(path);
    for (
      const write of [
        () => store.kv.set(["a"], 1),
        () => store.kv.delete(["a"]),
        () => store.kv.atomic().set(["b"], 2).commit(),
      ]
    ) {
      const ending = Promise.withResolvers<void>();
      const waitedFor = elsewhere.take(() => ending.promise);
      let isWritten = false;
      const writing = Promise.resolve(write()).then(() => isWritten = true);
      await later();
      assertEquals(isWritten, false);
      ending.resolve();
      await Promise.all([waitedFor, writing]);
    }
    elsewhere.close();
    store.close();
  });
});

/** Longer than a write takes that waits for nothing. */
function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
