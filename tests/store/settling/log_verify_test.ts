import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { keys } from "../../../lib/store/keys.ts";
import { addPage, logPageOf, newPageId } from "../../../lib/store/log/log_page.ts";
import { noteLogRetention, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { packRow } from "../../../lib/store/log/request_log_pack.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { compactRows, verifyLog } from "../../../lib/store/settling/mod.ts";
import { packedName } from "../../../lib/store/usage/rollup_counts.ts";
import { leaveRows } from "../log/log_rows.ts";
import { anyRows, baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { withMemoryStore } from "../temp_store.ts";
import { addToSum } from "../usage/packed_sum.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nowMs = baseMs + 12 * hourMs;

function rowAt(n: number, atMs: number, fields: Partial<RequestLogRow> = {}): RequestLogRow {
  return sampleRow(n, { id: requestIdOf(atMs, n), atMs, upstreamId: "acme", ...fields });
}

async function firstKey(store: Store, prefix: Deno.KvKey): Promise<Deno.KvKey> {
  for await (const { key } of store.kv.list({ prefix }, { limit: 1 })) return key;
  throw new Error("nothing there");
}

Deno.test("verifyLog finds nothing wrong with any rows, compacted in any order", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRows({ maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (rows, each) =>
        withMemoryStore(async (store) => {
          await leaveRows(store, rows.slice(0, 20), { perCommit: each });
          await compactRows(store);
          await leaveRows(store, rows.slice(20), { perCommit: each, isolateId: "other" });
          assertEquals(await verifyLog(store, nowMs), []);
        }),
    ),
    { numRuns: 30 },
  );
});

const tampered: Record<string, {
  readonly tamper: (store: Store, row: RequestLogRow) => Promise<unknown>;
  readonly said: readonly string[];
}> = {
  "a sum of an hour that is too high": {
    tamper: (store) =>
      addToSum(store, keys.rollup("hour", "account", "", "owner", "2026-11-21T08"), "requests", 1n),
    said: [
      'counts of account "owner" in 2026-11-21T08: the rollup says requests=4, its calls add up to requests=3',
      'counts of account "owner" in 2026-11-21: the rollup says requests=3, its hours add up to requests=4',
    ],
  },
  "a sum of a day that is too high": {
    tamper: (store) =>
      addToSum(
        store,
        keys.rollupTimes("day", "model", "owner", "m", "2026-11-21"),
        "duration.00",
        2n,
      ),
    said: [
      'times of model "m" of account "owner" in 2026-11-21: the rollup says duration.00=5, its hours add up to duration.00=3',
    ],
  },
  "a rollup that is gone": {
    tamper: (store) =>
      store.kv.delete(keys.rollup("hour", "upstream", "", "acme", "2026-11-21T08", packedName)),
    said: [
      'counts of upstream "acme" in 2026-11-21T08: the rollup says nothing, its calls add up to requests=3',
      'counts of upstream "acme" in 2026-11-21: the rollup says requests=3, its hours add up to nothing',
    ],
  },
  "a rollup of calls that never were": {
    tamper: async (store) => {
      await addToSum(store, keys.rollup("hour", "group", "", "x", "2026-11-21T09"), "requests", 1n);
      await addToSum(store, keys.rollup("day", "group", "", "x", "2026-11-21"), "requests", 1n);
    },
    said: [
      'counts of group "x" in 2026-11-21T09: the rollup says requests=1, its calls add up to nothing',
    ],
  },
  "an index entry that is gone": {
    tamper: async (store) =>
      store.kv.delete(await firstKey(store, keys.logIndexOf("key", "key_1"))),
    said: ['log by key "key_1" in 2026-11-21T08:00, page'],
  },
  "an index entry that names other rows": {
    tamper: async (store) =>
      store.kv.set(await firstKey(store, keys.logIndexOf("key", "key_1")), new Uint8Array(3)),
    said: ['log by key "key_1" in 2026-11-21T08:00, page'],
  },
  "an index entry of no page": {
    tamper: (store) =>
      store.kv.set(keys.logIndex("key", "x", "2026-11-21T08:00", "none"), new Uint8Array(3)),
    said: [
      'log by key "x" in 2026-11-21T08:00, page none: the index has an entry, the page no such rows',
    ],
  },
  "a row that is there twice": {
    tamper: async (store, row) => {
      const operation = store.kv.atomic();
      const twice = logPageOf(newPageId(), [packRow(row)]);
      addPage(operation, twice, dayMs);
      await operation.commit();
    },
    said: ["it is in the log more than once", 'counts of all ""', "requests=4"],
  },
  "a page that is gone": {
    tamper: async (store) => store.kv.delete(await firstKey(store, keys.logPages)),
    said: ["the index has an entry, the page no such rows", "its calls add up to nothing"],
  },
};

for (const [name, { tamper, said }] of Object.entries(tampered)) {
  Deno.test(`verifyLog reports ${name}`, () =>
    withMemoryStore(async (store) => {
      const rows = [1, 2, 3].map((n) => rowAt(n, baseMs + n));
      await leaveRows(store, rows);
      await compactRows(store);
      await tamper(store, rows[0]);
      const differences = (await verifyLog(store, nowMs)).join("\n");
      for (const words of said) assertStringIncludes(differences, words);
    }));
}

Deno.test("verifyLog reports a row whose id and time are hours apart", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, [{ ...rowAt(1, baseMs), atMs: baseMs + 2 * hourMs }]);
    const differences = (await verifyLog(store, nowMs)).join("\n");
    assertStringIncludes(
      differences,
      "began at 2026-11-21T10:00:00.000Z, its id says 2026-11-21T08",
    );
  }));

Deno.test("verifyLog stops at the hundredth difference", () =>
  withMemoryStore(async (store) => {
    for (let n = 0; n < 120; n++) {
      await store.kv.set(
        keys.logIndex("key", `${n}`, "2026-11-21T08:00", "none"),
        new Uint8Array(3),
      );
    }
    assertEquals((await verifyLog(store, nowMs)).length, 100);
  }));

Deno.test("verifyLog leaves out what retention has ended, also where it was shorter before", async () => {
  for (
    const { retentions, checked } of [
      { retentions: [30], checked: 29 },
      { retentions: [30, 90], checked: 29 },
      { retentions: [90, 30], checked: 29 },
    ]
  ) {
    const store = await openStore({
      location: { type: "memory" },
      logRetentionMs: (retentions.at(-1) ?? 0) * dayMs,
    });
    for (const days of retentions) {
      const then = Object.assign(Object.create(store), { logRetentionMs: days * dayMs });
      await noteLogRetention(then, nowMs);
    }
    const [old, young] = [rowAt(1, nowMs - 31 * dayMs), rowAt(2, nowMs - checked * dayMs)];
    await leaveRows(store, [old, young]);
    await compactRows(store);
    for (const { atMs } of [old, young]) {
      const hour = new Date(atMs).toISOString().slice(0, 13);
      await addToSum(store, keys.rollup("hour", "all", "", "", hour), "requests", 1n);
      await addToSum(store, keys.rollup("day", "all", "", "", hour.slice(0, 10)), "requests", 1n);
    }
    const differences = await verifyLog(store, nowMs);
    assertEquals(differences.length, 1, differences.join("\n"));
    assert(differences[0].includes(new Date(young.atMs).toISOString().slice(0, 10)));
    store.close();
  }
});
