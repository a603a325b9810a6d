import { assertEquals, assertThrows } from "@std/assert";
import { figureOf } from "../../bench/write_units.ts";
import { meteredKv } from "../../bench/writes/metered_kv.ts";
import { unitsOf, WriteMeter } from "../../bench/writes/meter.ts";
import { total, unitsPerCall } from "../../bench/writes/purposes.ts";
import { Database } from "../../lib/store/kv/database.ts";
import { DenoEngine } from "../../lib/store/kv/engine.ts";
import { StoreHealth } from "../../lib/store/mod.ts";

const traffic = {
  ...{
    rate: 5,
    isolates: 1,
    keys: 1,
    teams: false,
    sessions: false,
    answerMs: 0,
    latencyMs: 0,
    warmUpSeconds: 0,
    seconds: 2,
  },
};

Deno.test("unitsOf rounds up to whole units, and counts one for an empty value", () => {
  assertEquals([0, 1, 1_024, 1_025, 65_536].map(unitsOf), [1, 1, 1, 2, 64]);
});

Deno.test("a metered database counts what is committed, by purpose, and the busiest key", async () => {
  using opened = await Deno.openKv(":memory:");
  const meter = new WriteMeter();
  const kv = new Database(
    new DenoEngine(meteredKv(opened, { meter, latencyMs: 0 })),
    new StoreHealth(":memory:"),
  );
  await kv.set(["waiting_rows", "a", "1"], new Uint8Array(1_500));
  for (const key of ["a", "a", "b"]) {
    await kv.atomic().sum(["allowance_spent", key], 1n).set(["lease", key], new Uint8Array(9))
      .delete(["waiting_rows", "a", "1"]).commit();
  }
  const late = kv.atomic().check({ key: ["lease", "a"], versionstamp: null });
  await late.set(["lease", "a"], new Uint8Array(9)).commit();
  const writes = meter.read();
  assertEquals([writes.commits, writes.conflicts, writes.commitUnits], [4, 1, 5]);
  assertEquals(writes.busiest, { waiting_rows: 1, allowance_spent: 2, lease: 2 });
  const units = unitsPerCall(writes, 2);
  assertEquals([units.call, units.money, total(units)], [1, 3, 4]);
  const figure = figureOf({ traffic, calls: 2, writes });
  assertEquals([figure.deletes, figure.commits, figure.hotKeys.lease], [1.5, 2, 1]);
});

Deno.test("a metered database refuses to count values that are not bytes", async () => {
  using opened = await Deno.openKv(":memory:");
  const kv = meteredKv(opened, { meter: new WriteMeter(), latencyMs: 0 });
  const set = () => kv.atomic().mutate({ type: "set", key: ["k"], value: "text" });
  assertThrows(set, TypeError, "A value is not stored as bytes: string");
});
