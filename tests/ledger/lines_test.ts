import { assert, assertEquals } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { moneyClaim, TestIsolate } from "./isolates.ts";

Deno.test("a call waits for money as long as it may, not as long as all before it in the line", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const claim = moneyClaim({ limit: 100n, amount: 100n, waitMs: 150 });
    const held = await isolate.allowances.reserve([claim]);
    const startedAt = performance.now();
    const refusals = await Promise.allSettled(
      Array.from({ length: 20 }, () => isolate.allowances.reserve([claim])),
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

Deno.test("a caller who leaves leaves the line, and who stands behind comes first", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const claim = moneyClaim({ limit: 100n, amount: 100n, least: 50n });
    const held = await isolate.allowances.reserve([claim]);
    const gone = new AbortController();
    const leaving = Array.from(
      { length: 20 },
      () => Promise.resolve(isolate.allowances.reserve([claim], gone.signal)),
    );
    const staying = Promise.resolve(isolate.allowances.reserve([claim]));
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
