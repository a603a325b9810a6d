import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { packSums, sumsOfEntry } from "../../../lib/store/usage/rollup_counts.ts";
import { countKeys, leaveRows } from "../log/log_rows.ts";
import { baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

Deno.test("sumsOfEntry reads what packSums wrote, of any amounts", () => {
  fc.assert(fc.property(
    fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-zA-Z.0-9]+$/), fc.bigInt({ min: 0n })), {
      minLength: 1,
      selector: ([name]) => name,
    }),
    (sums) => {
      const entry = { key: ["k"], value: packSums(new Map(sums)), versionstamp: "1" };
      assertEquals(sumsOfEntry(entry), sums);
    },
  ));
});

/** Similar calls of one key within an hour. */
function alike(count: number, first = 0) {
  return Array.from({ length: count }, (_, n) => {
    const atMs = baseMs + first + n;
    return sampleRow(first + n, { id: requestIdOf(atMs, first + n), atMs, upstreamId: "acme" });
  });
}

testOnStores("rollups of similar calls are one value per subject, step and kind", async (store) => {
  await leaveRows(store, alike(150).map((row) => ({ ...row, keyId: "key_1" })));
  await compactRows(store);
  for (const prefix of ["rollup_hour", "rollup_day", "rollup_times_hour", "rollup_times_day"]) {
    assertEquals(await countKeys(store, [prefix]), 8, prefix);
  }
});
