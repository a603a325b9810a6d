import { assert, assertEquals, assertRejects } from "@std/assert";
import { Lease } from "../../lib/ledger/leases/lease.ts";
import { TestIsolate } from "./isolates.ts";
import { withMemoryStore } from "../store/temp_store.ts";

Deno.test("a lease whose slices are used up within a second takes larger ones, until it rests", () => {
  const lease = new Lease("requests:key:key_1:now", "requests", { type: "none" });
  const sizes = [100_000, 100_300, 100_900, 103_000, 120_000].map((nowMs) => {
    lease.addSlice(1n, nowMs);
    return lease.callsPerSlice;
  });
  assertEquals(sizes, [64n, 256n, 1_024n, 1_024n, 64n]);
});

Deno.test("a rolling budget's spending remains to be marked if the store fails", () =>
  withMemoryStore(async (store) => {
    let isDown = true;
    const kv = new Proxy(store.kv, {
      get: (target, name) => {
        if (isDown) throw new Error("the store is gone");
        const member = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const failing = Object.create(store, { kv: { value: kv } });
    const { leasing } = new TestIsolate(failing, "a", () => 120_000);
    const limit = { type: "amount", amount: 10n, windowMs: 60_000 } as const;
    const lease = new Lease("money:key:key_1:1m", "money", limit);
    lease.noteSpent(1);
    await assertRejects(() => leasing.mark(lease), Error, "the store is gone");
    assert(lease.isMarkDue(120_000));
    isDown = false;
    await leasing.mark(lease);
    assert(!lease.isMarkDue(120_000));
  }));
