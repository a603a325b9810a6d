import { assert, assertEquals } from "@std/assert";
import { Directory } from "../../../lib/store/directory/mod.ts";
import {
  addTagValues,
  readTagValues,
  type Tag,
  tagRoom,
  updateTagBudget,
} from "../../../lib/store/projects/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { withCommit } from "../failing_store.ts";
import { withMemoryStore } from "../temp_store.ts";

const tag = (key: string, value: string | number): Tag => ({ key, value: String(value) });
const many = (count: number, name: (at: number) => Tag) =>
  Array.from({ length: count }, (_, at) => name(at));

async function withDirectory(test: (directory: Directory, store: Store) => Promise<void>) {
  await withMemoryStore(async (store) => {
    const directory = await Directory.load(store);
    try {
      await test(directory, store);
    } finally {
      await directory.close();
    }
  });
}

async function countedAs(directory: Directory, ...tags: readonly Tag[]): Promise<string[]> {
  return (await directory.countTags(tags)).map(({ text }) => text);
}

Deno.test("hostile tags cannot grow the store: later values count as other", async () => {
  await withMemoryStore(async (store) => {
    const writers = many(8, (writer) => tag("team", writer)).map(({ value }) =>
      addTagValues(store, many(100, (at) => tag("team", `${value}-${at}`)))
    );
    await Promise.all(writers);
    assertEquals((await readTagValues(store)).get("team")?.size, tagRoom.valuesPerKey);
    await addTagValues(store, many(100, (at) => tag(`key${at}`, "a")));
    const values = await readTagValues(store);
    assertEquals(values.size, tagRoom.keys);
    for (const key of values.keys()) await addTagValues(store, many(300, (at) => tag(key, at)));
    const sizes = [...(await readTagValues(store)).values()].map(({ size }) => size);
    assertEquals(sizes.reduce((sum, size) => sum + size), tagRoom.values);
  });
});

Deno.test("countTags counts a new tag as itself, and from memory afterwards", async () => {
  await withDirectory(async (directory) => {
    const first = directory.countTags([tag("team", "a"), tag("feature", "b")]);
    assert(first instanceof Promise, "a new tag needs the store");
    assertEquals((await first).map(({ text }) => text), ["team=a", "feature=b"]);
    await directory.refresh();
    assert(!(directory.countTags([tag("team", "a")]) instanceof Promise));
  });
});

Deno.test("countTags asks no store once the room is used up, and budgets always bind", async () => {
  await withDirectory(async (directory, store) => {
    await addTagValues(store, many(tagRoom.valuesPerKey, (at) => tag("team", at)));
    await updateTagBudget(
      store,
      "team=late",
      () => ({ budgets: [{ period: "day", nanoUsd: 5n }] }),
    );
    await updateTagBudget(
      store,
      "team=other",
      () => ({ budgets: [{ period: "day", nanoUsd: 7n }] }),
    );
    await directory.refresh();
    const counted = directory.countTags([tag("team", "late")]);
    assert(!(counted instanceof Promise));
    assertEquals(counted.map(({ text, bounds }) => [text, bounds?.budgets?.[0].nanoUsd]), [
      ["team=late", 5n],
    ]);
    const other = directory.countTags([tag("team", "hostile")]);
    assert(!(other instanceof Promise), "a full key costs no commit");
    assertEquals(other.map(({ text, bounds }) => [text, bounds?.budgets?.[0].nanoUsd]), [
      ["team=other", 7n],
    ]);
  });
});

Deno.test("countTags puts keys without room together", async () => {
  await withDirectory(async (directory, store) => {
    await addTagValues(store, many(tagRoom.keys, (at) => tag(`key${at}`, "a")));
    await directory.refresh();
    assertEquals(await countedAs(directory, tag("late", "a"), tag("later", "b")), ["other=other"]);
  });
});

Deno.test("a budget that is removed no longer binds a tag", async () => {
  await withDirectory(async (directory, store) => {
    await updateTagBudget(store, "team=a", () => ({ budgets: [{ period: "day", nanoUsd: 5n }] }));
    await updateTagBudget(store, "team=a", () => ({}));
    await directory.refresh();
    const counted = await directory.countTags([tag("team", "a")]);
    assertEquals(counted.map(({ bounds }) => bounds), [undefined]);
  });
});

Deno.test("a budget of key=other binds a key that has no room", async () => {
  await withDirectory(async (directory, store) => {
    await addTagValues(store, many(tagRoom.keys, (at) => tag(`key${at}`, "a")));
    await updateTagBudget(store, "team=other", () => ({
      budgets: [{ period: "day", nanoUsd: 7n }],
    }));
    await directory.refresh();
    const counted = await directory.countTags([tag("team", "new"), tag("late", "new")]);
    assertEquals(counted.map(({ text, bounds }) => [text, bounds?.budgets?.[0].nanoUsd]), [
      ["team=other", 7n],
      ["other=other", undefined],
    ]);
  });
});

Deno.test("a new tag counts as other while the store is away", async () => {
  await withMemoryStore(async (memory) => {
    await addTagValues(memory, [tag("team", "a")]);
    const store = withCommit(memory, () => Promise.reject(memory.health.error("full")));
    const directory = await Directory.load(store);
    const counted = await countedAs(directory, tag("team", "a"), tag("team", "b"), tag("new", "c"));
    assertEquals(counted, ["team=a", "team=other", "other=other"]);
    await directory.close();
  });
});
