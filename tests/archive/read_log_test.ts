import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { ArchiveError, findCall } from "../../lib/archive/mod.ts";
import { readLog } from "../../lib/archive/read_log.ts";
import { type LogFilter, streamRequestLogs } from "../../lib/store/log/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { anyRows, baseMs } from "../store/log/row_arbitrary.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { archive, callAt, logged, memoryPlace, newestFirst } from "./archived_store.ts";

const hourMs = 3_600_000;

const anyFilter: fc.Arbitrary<LogFilter> = fc.record({
  accountId: fc.constantFrom("account_0", "account_1"),
  keyId: fc.constantFrom("key_0", "key_4"),
  model: fc.constantFrom("m", "acme/large:free"),
  upstreamId: fc.constantFrom("acme", "other"),
  status: fc.constantFrom("200", "4xx", "failed", "completed"),
  slowerThanMs: fc.constant(5_000),
  tag: fc.constant("nightly"),
  fromMs: fc.integer({ min: baseMs, max: baseMs + hourMs }),
  toMs: fc.integer({ min: baseMs + hourMs, max: baseMs + 3 * hourMs }),
}, { requiredKeys: [] });

Deno.test("readLog: any filter selects the same calls before, between and after archiving", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRows({ maxLength: 60 }),
      anyFilter,
      (rows, filter) =>
        withMemoryStore(async (store) => {
          await leaveRows(store, rows);
          const before = (await Array.fromAsync(streamRequestLogs(store, filter))).flat();
          const place = memoryPlace();
          await archive(store, place, { nowMs: baseMs + 72 * hourMs, partRowsMax: 7 });
          await leaveRows(store, rows.slice(0, 0));
          assertEquals(await logged(store, place, filter), before);
        }),
    ),
    { numRuns: 60 },
  );
});

Deno.test("readLog: late calls appear among the archived ones of their day, in order", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from({ length: 90 }, (_, n) => callAt(n, 5 - n / 100));
    const place = memoryPlace();
    for (const turn of [0, 1, 2]) {
      await leaveRows(store, rows.filter((_, n) => n % 4 === turn));
      await archive(store, place);
    }
    await leaveRows(store, rows.filter((_, n) => n % 4 === 3));
    assertEquals(await logged(store, place), newestFirst(rows));
  }));

Deno.test("readLog: a call that is in both places comes once, while rows move and at any step", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from({ length: 3_000 }, (_, n) => callAt(n, 6 - n / 1_000));
    await leaveRows(store, rows);
    const place = memoryPlace();
    const seen: string[] = [];
    let batches = 0;
    for await (const batch of readLog({ store, place })) {
      seen.push(...batch.map(({ id }) => id));
      if (++batches === 2) await archive(store, place, { partRowsMax: 500 });
    }
    assert(place.files.size > 3);
    assertEquals(seen, newestFirst(rows).map(({ id }) => id));
  }));

Deno.test("readLog: rows whose file was verified but that have not left the store come once", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from({ length: 40 }, (_, n) => callAt(n, 6));
    await leaveRows(store, rows);
    const place = memoryPlace();
    const stopped = new AbortController();
    const stopping = {
      ...place,
      get: async (name: string) => {
        const bytes = await place.get(name);
        stopped.abort();
        return bytes;
      },
    };
    await assertRejects(() => archive(store, stopping, { signal: stopped.signal }));
    assertEquals((await Array.fromAsync(streamRequestLogs(store))).flat().length, 40);
    assertEquals(await logged(store, place), newestFirst(rows));
    assertEquals((await archive(store, place))?.files, 0, "the file is complete already");
    assertEquals((await Array.fromAsync(streamRequestLogs(store))).flat().length, 0);
    assertEquals(await logged(store, place), newestFirst(rows));
  }));

Deno.test("findCall: finds a call by its id in the store and in every file", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from({ length: 40 }, (_, n) => callAt(n, n / 4));
    await leaveRows(store, rows);
    const place = memoryPlace();
    await archive(store, place, { partRowsMax: 2 });
    for (const row of rows) assertEquals(await findCall({ store, place }, row.id), row);
    assertEquals(await findCall({ store, place }, callAt(99, 5).id), undefined);
    assertEquals(await findCall({ store, place }, "req_unknown"), undefined);
    assertEquals(await findCall({ store }, rows[39].id), undefined);
  }));

Deno.test("readLog: a missing or changed file is an error, not fewer calls", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, Array.from({ length: 40 }, (_, n) => callAt(n, n / 4)));
    const place = memoryPlace();
    await archive(store, place);
    const [[name, bytes]] = place.files;
    for (const other of [undefined, bytes.slice(0, -9), bytes.with(20, bytes[20] ^ 1)]) {
      if (other) place.files.set(name, other);
      else place.files.delete(name);
      await assertRejects(() => logged(store, place), ArchiveError);
    }
  }));

for (const changedAt of [1, 2, 3, 5]) {
  Deno.test(`readLog: calls that share pages with archived ones come once, archived at batch ${changedAt}`, () =>
    withMemoryStore(async (store) => {
      const rows = Array.from({ length: 4_000 }, (_, n) => {
        return callAt(n, 1.4 + n % 2 - Math.floor(n / 1_000) / 1_000);
      });
      await leaveRows(store, rows);
      const place = memoryPlace();
      const seen: string[] = [];
      let batches = 0;
      for await (const batch of readLog({ store, place })) {
        seen.push(...batch.map(({ id }) => id));
        if (++batches === changedAt) await archive(store, place, { partRowsMax: 700 });
      }
      assertEquals(place.files.size, 3);
      assertOnce(seen, newestFirst(rows));
    }));
}

/** Says in a line how the ids differ from those of all rows. */
function assertOnce(seen: readonly string[], rows: readonly { readonly id: string }[]): void {
  const missing = rows.filter(({ id }) => !seen.includes(id)).length;
  const differs = seen.findIndex((id, at) => id !== rows[at]?.id);
  assertEquals(
    { missing, repeated: seen.length - new Set(seen).size, differs },
    { missing: 0, repeated: 0, differs: -1 },
  );
}
