import { assert, assertEquals, assertRejects } from "@std/assert";
import { ArchiveError, type ArchivePlace } from "../../lib/archive/mod.ts";
import { keys } from "../../lib/store/keys.ts";
import { streamRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { archive, callAt, memoryPlace } from "./archived_store.ts";
import { completes, lateRow, movedRows } from "./completed_archive.ts";

const faults: readonly {
  readonly name: string;
  readonly broken: (place: ArchivePlace) => ArchivePlace;
}[] = [
  {
    name: "that does not write",
    broken: (place) => ({ ...place, put: () => Promise.reject(new ArchiveError("503")) }),
  },
  {
    name: "that writes and says it did not",
    broken: (place) => ({
      ...place,
      put: async (...args) => {
        await place.put(...args);
        throw new ArchiveError("timed out");
      },
    }),
  },
  {
    name: "that writes half of a file",
    broken: (place) => ({
      ...place,
      put: (name, { bytes, sha256 }) =>
        place.put(name, { bytes: bytes.slice(0, bytes.length / 2), sha256 }),
    }),
  },
  {
    name: "that writes other bytes",
    broken: (place) => ({
      ...place,
      put: (name, { bytes, sha256 }) =>
        place.put(name, { bytes: bytes.with(9, bytes[9] ^ 255), sha256 }),
    }),
  },
  {
    name: "that loses what it writes",
    broken: (place) => ({ ...place, put: () => Promise.resolve() }),
  },
];

for (const { name, broken } of faults) {
  Deno.test(`archive: a place ${name} leaves all rows in the store, until it works again`, () =>
    withMemoryStore(async (store) => {
      await leaveRows(store, movedRows);
      const place = memoryPlace();
      for (const _ of [1, 2]) {
        const failure = await archive(store, broken(place)).catch((error) => error);
        assert(failure instanceof ArchiveError, `${failure}`);
        assertEquals(
          (await Array.fromAsync(streamRequestLogs(store))).flat().length,
          movedRows.length,
        );
        assertEquals(place.files.size, 0, "the failed file was removed");
      }
      await leaveRows(store, [lateRow]);
      assertEquals(await completes(store, place), 0);
    }));
}

Deno.test("archive: a lost file keeps the rows of its day, and other days are moved", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, [callAt(1, 5), callAt(2, 5)]);
    const place = memoryPlace();
    await endAfterFirstFile(store, place);
    const [lost] = place.files.keys();
    place.files.delete(lost);
    await leaveRows(store, [callAt(3, 4), callAt(4, 3)]);

    for (const _ of [1, 2]) {
      const failure = await archive(store, place).catch((error) => error);
      assert(failure instanceof ArchiveError, `${failure}`);
      assertEquals(failure.message, `no file ${lost}`);
      const kept = (await Array.fromAsync(streamRequestLogs(store))).flat();
      assertEquals(kept.map(({ id }) => id), [callAt(2, 5).id, callAt(1, 5).id]);
      assertEquals(place.files.size, 2);
    }
  }));

/** Archives until the first file is recorded, before its rows are removed. */
async function endAfterFirstFile(store: Store, place: ArchivePlace): Promise<void> {
  const stop = new AbortController();
  const ending = {
    ...place,
    get: async (...args: Parameters<ArchivePlace["get"]>) => {
      const bytes = await place.get(...args);
      stop.abort();
      return bytes;
    },
  };
  await assertRejects(() => archive(store, ending, { signal: stop.signal }));
}

Deno.test("archive: a writer that was suspended and wakes up changes nothing", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, movedRows);
    const place = memoryPlace();
    const slept = Promise.withResolvers<void>();
    const asleep = Promise.withResolvers<void>();
    const sleeping = {
      ...place,
      put: async (...args: Parameters<ArchivePlace["put"]>) => {
        asleep.resolve();
        await slept.promise;
        await place.put(...args);
      },
    };
    const suspended = archive(store, sleeping).catch((error) => error);
    await asleep.promise;
    await store.kv.delete(keys.archiveLease); // its time has passed
    await archive(store, place);
    slept.resolve();
    assertEquals((await suspended).code, "conflict");
    await leaveRows(store, [lateRow]);
    assertEquals(await completes(store, place), 0);
  }));
