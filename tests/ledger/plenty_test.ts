import { assert, assertEquals } from "@std/assert";
import { release } from "../../lib/ledger/allowances.ts";
import { getSpent } from "../../lib/store/money/mod.ts";
import { until } from "../waiting.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { moneyRequest, TestIsolate } from "./isolates.ts";

const limit = 1_600n;

Deno.test("reserveIfPlenty: only while the limit pays for 16 such calls", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const { allowances } = isolate;
    const asking = (amount: bigint) =>
      allowances.reserveIfPlenty([moneyRequest({ limit, amount })]);
    assertEquals(asking(1n), undefined, "nothing is leased yet");
    await isolate.call([moneyRequest({ limit, amount: 20n })], 0n);
    const shares = asking(100n);
    assertEquals(shares?.map(({ reserved }) => reserved), [100n]);
    assertEquals(asking(100n), undefined, "with the first call's share, less than 16 are left");
    assert(shares);
    release(shares);
    assertEquals(asking(101n), undefined);
    await isolate.call([moneyRequest({ limit, amount: 20n })], 10n);
    assertEquals(asking(100n), undefined, "10 are spent");
    assertEquals(await getSpent(store, "budget:key:test:total"), 10n);
    await isolate.close();
  });
});

Deno.test("reserveIfPlenty: reserves nothing if one limit has too little", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const rich = (amount: bigint) => moneyRequest({ allowanceId: "budget:a", limit, amount });
    const poor = (amount: bigint) => moneyRequest({ allowanceId: "budget:b", limit: 100n, amount });
    await isolate.call([rich(20n), poor(20n)], 0n);
    assertEquals(isolate.allowances.reserveIfPlenty([rich(10n), poor(10n)]), undefined);
    const [lease] = isolate.allowances.leases();
    assertEquals(lease.reserved, 0n);
    await isolate.close();
  });
});

Deno.test("reserveIfPlenty: leases more ahead if only the lease has too little", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const { allowances } = isolate;
    const request = (amount: bigint) => [moneyRequest({ limit: 1_000_000n, amount })];
    await isolate.call(request(1n), 0n); // leases a slice for calls of this size
    const [lease] = allowances.leases();
    assert(lease.held < 1_000n);
    assertEquals(allowances.reserveIfPlenty(request(1_000n)), undefined);
    await until(() => !lease.refilling, "the lease is not refilled");
    assert(lease.held > 32_000n, `${lease.held}`);
    assert(allowances.reserveIfPlenty(request(1_000n)) !== undefined);
    assertEquals(allowances.reserveIfPlenty(request(100_000n)), undefined);
    assertEquals(lease.refilling, false, "the limit does not pay for 16 of them");
    await isolate.close();
  });
});
