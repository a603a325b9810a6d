import { assertEquals } from "@std/assert";
import { registerIsolate } from "../../../lib/store/isolates/mod.ts";
import {
  dropLeases,
  listAllowances,
  listLeases,
  returnLease,
  setLease,
  takeLease,
} from "../../../lib/store/money/allowance.ts";
import { withCommit } from "../failing_store.ts";
import { testOnStores } from "../temp_store.ts";

testOnStores("leases of ended windows are forgotten, however many end at once", async (store) => {
  const ids = Array.from(
    { length: 3_000 },
    (_, at) => `requests:account:usr_01JD0000000000000000${String(at).padStart(6, "0")}:0029123456`,
  );
  for (let at = 0; at < ids.length; at += 200) {
    const operation = store.kv.atomic();
    for (const id of ids.slice(at, at + 200)) setLease(operation, "iso_1", id, 1n);
    await operation.commit();
  }
  await dropLeases(store, "iso_1", ids);
  assertEquals((await listLeases(store, "iso_1")).length, 0);
});

testOnStores(
  "a lease whose commit is reported as failed although it happened is taken and returned once",
  async (store) => {
    const isolate = await registerIsolate(store, { id: "iso_1", runId: "r", heartbeatAtMs: 0 });
    let commits = 0;
    const repeating = withCommit(store, async (commit) => {
      const result = await commit();
      return commits++ % 2 === 0 ? { ok: false } : result; // as a client that repeats a lost commit
    });
    const limit = { type: "amount", amount: 100n } as const;
    const allowanceId = "budget:key:key_1:total";
    const wanted = { allowanceId, limit, needed: 1n, slice: () => 10n, held: 0n, now: Date.now };
    const taken = await takeLease(repeating, isolate, wanted);
    assertEquals(taken, { type: "leased", amount: 10n, free: 90n });
    assertEquals((await listAllowances(store)).map(({ allotted }) => allotted), [10n]);
    commits = 0;
    assertEquals(
      await returnLease(repeating, isolate, { ...wanted, amount: 4n, held: 10n }),
      true,
    );
    assertEquals((await listAllowances(store)).map(({ allotted }) => allotted), [6n]);
    assertEquals((await listLeases(store, isolate.id)).map(({ held }) => held), [6n]);
  },
);
