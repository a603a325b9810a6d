import { assert, assertEquals } from "@std/assert";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { snapshotStore } from "../../lib/store/transfer/snapshot.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { withTempFolder } from "../store/temp_store.ts";
import {
  archive,
  callAt,
  fileRows,
  logged,
  type MemoryPlace,
  memoryPlace,
  newestFirst,
} from "./archived_store.ts";

/** Two gateways that archive to one place: a store, and a copy that was made at some moment. */

const rows = Array.from({ length: 60 }, (_, n) => callAt(n, 2 + n / 20));
const lateRow = callAt(99, 2.5);

/** Archives the store, copies it during the nth write of a file, and opens the copy. */
async function withCopy(
  copiedAt: number,
  test: (stores: { store: Store; copy: Store; place: MemoryPlace }) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const [path, target] = [`${folder}/tessera.db`, `${folder}/copy.db`];
    const store = await openStore({ location: { type: "file", path } });
    await leaveRows(store, rows);
    const place = memoryPlace();
    let writes = 0;
    const put: MemoryPlace["put"] = async (...args) => {
      if (++writes === copiedAt) await snapshotStore(path, { target });
      await place.put(...args);
    };
    await archive(store, { ...place, put }, { partRowsMax: 10 });
    const copy = await openStore({ location: { type: "file", path: target } });
    try {
      await test({ store, copy, place });
    } finally {
      store.close();
      copy.close();
    }
  });
}

for (const copiedAt of [1, 3]) {
  Deno.test(`archive: a copy of the store, made during file ${copiedAt}, changes no file of the original`, () =>
    withCopy(copiedAt, async ({ store, copy, place }) => {
      const files = new Map(place.files);
      await leaveRows(copy, [lateRow]);
      await archive(copy, place, { partRowsMax: 10 });
      for (const [name, bytes] of files) assertEquals(place.files.get(name), bytes, name);
      assertEquals(await logged(store, place), newestFirst(rows));
      assertEquals(await logged(copy, place), newestFirst([...rows, lateRow]));
    }));
}

Deno.test("archive: lines that a copy of the store wrote again are equal, so that sort -u drops them", () =>
  withCopy(2, async ({ copy, place }) => {
    await archive(copy, place, { partRowsMax: 7 });
    const ids = [...(await fileRows(place)).values()].flat();
    assert(ids.length > rows.length);
    const lines = await Promise.all(
      [...place.files.values()].map((bytes) =>
        new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
      ),
    );
    const unique = new Set(lines.join("").trimEnd().split("\n"));
    assertEquals(unique.size, rows.length);
  }));
