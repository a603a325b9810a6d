import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { noUsage } from "../../../lib/canonical/mod.ts";
import {
  type PackedRow,
  packRow,
  type RequestLogRow,
  runsOfRows,
} from "../../../lib/store/log/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { addWaitingRows, listWaiting } from "../../../lib/store/settling/mod.ts";
import { anyRows, hostileFields } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const place = { isolateId: "isolate_1", sequence: "0001" };

async function write(store: Store, rows: readonly RequestLogRow[], at = place): Promise<void> {
  await writePacked(store, rows.map(packRow), at);
}

async function writePacked(
  store: Store,
  rows: readonly PackedRow[],
  at: typeof place,
): Promise<void> {
  const operation = store.kv.atomic();
  addWaitingRows(operation, at, rows);
  assertEquals((await operation.commit()).ok, true);
}

async function waiting(store: Store, isolateId?: string): Promise<RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  for await (const value of listWaiting(store, isolateId)) rows.push(...value.rows);
  return rows;
}

testOnStores("waiting rows: any rows are read as they were written", async (store) => {
  await fc.assert(
    fc.asyncProperty(anyRows({ minLength: 1, maxLength: 40 }), async (rows) => {
      await write(store, rows);
      assertEquals(await waiting(store), rows);
    }),
    { numRuns: 50 },
  );
});

testOnStores("waiting rows: those of one isolate, and of all in order", async (store) => {
  await write(store, [sampleRow(2)], { isolateId: "a", sequence: "0002" });
  await write(store, [sampleRow(1)], { isolateId: "a", sequence: "0001" });
  await write(store, [sampleRow(3)], { isolateId: "b", sequence: "0001" });
  assertEquals((await waiting(store, "a")).map(({ atMs }) => atMs), [1, 2]);
  assertEquals((await waiting(store)).map(({ atMs }) => atMs), [1, 2, 3]);
});

testOnStores(
  "waiting rows: what one value does not hold goes into several, in order",
  async (store) => {
    const rows = Array.from(
      { length: 1_000 },
      (_, n) => sampleRow(n, { tag: `${n}`.padStart(80) }),
    );
    await write(store, rows);
    let values = 0;
    for await (const { entry } of listWaiting(store)) {
      assert((entry.value as Uint8Array).length <= 65_536);
      values++;
    }
    assert(values > 1 && values < 10, `${values} values`);
    assertEquals(await waiting(store), rows);
  },
);

for (const [name, text] of Object.entries({ wide: "x𝄞", escaped: "\u0000\ud800" })) {
  testOnStores(`waiting rows: no row is too big to be written (${name})`, async (store) => {
    const fields = hostileFields(text);
    const rows = Array.from({ length: 40 }, (_, n) => sampleRow(n, fields));
    for (const [index, run] of [...runsOfRows(rows.map(packRow), 256)].entries()) {
      await writePacked(store, run, { ...place, sequence: String(index).padStart(4, "0") });
    }
    const kept = await waiting(store);
    assertEquals(kept.map(({ id }) => id), rows.map(({ id }) => id));
    assertEquals(kept[0]?.model.length, 200);
    assertEquals(kept[0]?.usage?.native, undefined);
    assertEquals(Object.keys(kept[0]?.usage?.hostedToolCalls ?? {}).length, 16);
  });
}

testOnStores(
  "waiting rows: of too many notes the log keeps the first and says how many more",
  async (store) => {
    const note = { path: "a", action: "dropped", reason: "b" } as const;
    await write(store, [sampleRow(1, { usage: noUsage, notes: Array(500).fill(note) })]);
    const [row] = await waiting(store);
    assertEquals(row?.notes?.length, 21);
    assertEquals(row?.notes?.at(-1)?.reason, "480 more notes not kept");
  },
);
