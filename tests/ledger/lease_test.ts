import { assertEquals } from "@std/assert";
import { Lease } from "../../lib/ledger/leases/lease.ts";

Deno.test("a lease whose slices are used up within a second takes larger ones, until it rests", () => {
  const lease = new Lease("requests:key:key_1:now", "requests", { type: "none" });
  const sizes = [100_000, 100_300, 100_900, 103_000, 120_000].map((nowMs) => {
    lease.addSlice(1n, nowMs);
    return lease.callsPerSlice;
  });
  assertEquals(sizes, [64n, 256n, 1_024n, 1_024n, 64n]);
});
