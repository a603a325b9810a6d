import { assert, assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { Allowances, type LeaseStore, release } from "../../lib/ledger/allowances.ts";
import { countingReads } from "../store/failing_store.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { moneyRequest, TestIsolate } from "./isolates.ts";

Deno.test("a call waits for money as long as it may, not as long as all before it in the line", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const request = moneyRequest({ limit: 100n, amount: 100n, waitMs: 150 });
    const held = await isolate.allowances.reserve([request]);
    const startedAt = performance.now();
    const refusals = await Promise.allSettled(
      Array.from({ length: 20 }, () => isolate.allowances.reserve([request])),
    );
    const waitedMs = performance.now() - startedAt;
    for (const refusal of refusals) {
      assert(refusal.status === "rejected" && refusal.reason instanceof GatewayError);
    }
    assert(waitedMs < 1_000, `the last of 20 waited ${Math.round(waitedMs)} ms`);
    await isolate.settle(held, 40n);
    await isolate.close();
  });
});

Deno.test("a caller that disconnects leaves the queue, and the next one is served", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const request = moneyRequest({ limit: 100n, amount: 100n, least: 50n });
    const held = await isolate.allowances.reserve([request]);
    const gone = new AbortController();
    const leaving = Array.from(
      { length: 20 },
      () => Promise.resolve(isolate.allowances.reserve([request], gone.signal)),
    );
    const staying = Promise.resolve(isolate.allowances.reserve([request]));
    gone.abort(new GatewayError("client_closed", "The caller left"));
    const left = await Promise.allSettled(leaving);
    assertEquals(left.map(({ status }) => status), leaving.map(() => "rejected"));
    await isolate.settle(held, 40n);
    const shares = await staying;
    assertEquals(shares.map(({ reserved }) => reserved), [60n]);
    await isolate.settle(shares, 60n);
    await isolate.close();
  });
});

Deno.test("a request that is too large does not hold up smaller ones", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const large = {
      ...moneyRequest({ limit: 100n, amount: 150n, waitMs: 10 }),
      kind: "tokens",
    } as const;
    const small = {
      ...moneyRequest({ limit: 100n, amount: 60n, waitMs: 10 }),
      kind: "tokens",
    } as const;
    await assertRejects(async () => await isolate.allowances.reserve([large]), GatewayError);
    const shares = await isolate.allowances.reserve([small]);
    assertEquals(shares.map(({ reserved }) => reserved), [60n]);
    await isolate.close();
  });
});

Deno.test("a thousand refusals read the store fewer than 100 times", async () => {
  await withMemoryStore(async (store) => {
    let reads = 0;
    const isolate = new TestIsolate(countingReads(store, () => reads++), "one");
    const request = moneyRequest({ limit: 10n, amount: 100n });
    const all = Array.from(
      { length: 1_000 },
      async () => await isolate.allowances.reserve([request]),
    );
    for (const { status } of await Promise.allSettled(all)) {
      assertEquals(status, "rejected");
    }
    assert(reads < 100, `${reads} reads of 1,000 refusals`);
    await isolate.close();
  });
});

Deno.test("a call takes the place that its own isolate gave back while the store was asked, however long that took", async () => {
  let nowMs = 0;
  const store: LeaseStore = {
    take: (lease, _needed, slice) => {
      const amount = lease.held === 0n ? slice(1n) || 1n : 0n;
      lease.held += amount;
      return Promise.resolve(
        amount > 0n ? { type: "leased", amount, free: 0n } : { type: "insufficient", free: 0n },
      );
    },
    heldElsewhere: () => {
      release(first); // a call ends here,
      nowMs += 1_000; // and the store takes longer than the next call may wait
      return Promise.resolve(3n);
    },
    giveBackFree: () => Promise.resolve(),
    recall: () => Promise.resolve(),
    now: () => nowMs,
  };
  const allowances = new Allowances(store);
  const money = moneyRequest({
    allowanceId: "concurrency:key:test:now",
    limit: 4n,
    amount: 1n,
    waitMs: 200,
  });
  const place = { ...money, current: { ...money.current, kind: "concurrency" } } as const;
  const first = await allowances.reserve([place]);
  const second = await allowances.reserve([place]);
  assertEquals(second.map(({ reserved }) => reserved), [1n]);
});
