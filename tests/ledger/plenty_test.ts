import { assert, assertEquals } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
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
    await isolate.call(request(10n), 0n); // leases a slice for calls of this size
    const [lease] = allowances.leases();
    assert(lease.held > 250n && lease.held < 1_000n, `${lease.held}`);
    assertEquals(allowances.reserveIfPlenty(request(1_000n)), undefined);
    await until(() => !lease.refilling, "the lease is not refilled");
    assert(lease.held > 32_000n, `${lease.held}`);
    assert(allowances.reserveIfPlenty(request(1_000n)) !== undefined);
    assertEquals(allowances.reserveIfPlenty(request(100_000n)), undefined);
    assertEquals(lease.refilling, false, "the limit does not pay for 16 of them");
    await isolate.close();
  });
});

const before = (amount: bigint) => moneyRequest({ limit: 1_000_000n, amount });
const lowered = moneyRequest({ limit: 1_000n, amount: 500n, enough: 100n, least: 10n, waitMs: 10 });

/** Calls until one is refused; each spends all that it reserves. */
async function spendAll(isolate: TestIsolate): Promise<void> {
  for (let call = 0; call < 100; call++) {
    try {
      const shares = await isolate.allowances.reserve([lowered]);
      await isolate.settle(shares, shares[0].reserved);
    } catch (refusal) {
      assert(refusal instanceof GatewayError);
      return;
    }
  }
}

Deno.test("reserveIfPlenty: leases nothing under a limit that has been lowered", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    for (let call = 0; call < 9; call++) await isolate.call([before(10n)], 100n);
    const large = moneyRequest({ limit: 1_000n, amount: 4_000n });
    assertEquals(isolate.allowances.reserveIfPlenty([large]), undefined);
    await spendAll(isolate);
    const spent = await getSpent(store, "budget:key:test:total");
    assert(spent <= 1_000n, `${spent}`);
    await isolate.close();
  });
});

Deno.test("a limit that is lowered while a lease is refilled bounds what is spent", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    for (let call = 0; call < 9; call++) await isolate.call([before(10n)], 100n);
    const [lease] = isolate.allowances.leases();
    const shares = await isolate.allowances.reserve([before(lease.free * 9n / 10n)]);
    assert(lease.refilling);
    await spendAll(isolate);
    await isolate.settle(shares, 0n);
    const spent = await getSpent(store, "budget:key:test:total");
    assert(spent <= 1_000n, `${spent}`);
    await isolate.close();
  });
});
