import { assertEquals } from "@std/assert";
import { auditStore } from "../../lib/audit/mod.ts";
import { noUsage } from "../../lib/canonical/mod.ts";
import { resolvePrice } from "../../lib/ledger/price.ts";
import { listInFlight, listIsolates } from "../../lib/store/isolates/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { type Commit, withCommit } from "../store/failing_store.ts";
import { sampleRow } from "../store/samples.ts";
import { later, until } from "../waiting.ts";
import { withLedger } from "./with_ledger.ts";

/** The calls that heartbeats record, so that a sweeper can log them. */

/** Two heartbeats. */
const beatsMs = 4_200;

Deno.test("a call without reservations is recorded too, in an isolate that has no record yet", () =>
  withLedger(async (ledger, reserve, store) => {
    const hold = await reserve();
    assertEquals([hold.shares, await listIsolates(store)], [[], []]);
    ledger.watch(hold, () => sampleRow(1, { outcome: "truncated" }));
    await until(async () => (await inFlight(store)).length === 1, "no heartbeat records the call");
    await ledger.settle(sampleRow(1), hold);
    await until(async () => (await inFlight(store)).length === 0, "the call is still recorded");
  }));

Deno.test("no heartbeat records calls shorter than a second", () =>
  withLedger(async (ledger, reserve, store) => {
    let asked = 0;
    const startedAt = performance.now();
    for (let call = 1; performance.now() - startedAt < beatsMs; call++) {
      const hold = await reserve();
      ledger.watch(hold, () => {
        asked++;
        return sampleRow(call);
      });
      await later(200);
      await ledger.settle(sampleRow(call), hold);
    }
    assertEquals([asked, await inFlight(store)], [0, []]);
  }));

Deno.test("a call that outlasts the close is charged in full, also to a caller without limits", () =>
  withLedger(async (ledger, reserve, store) => {
    const hold = await reserve({ price: resolvePrice({ input: 1, output: 1 }), boundNanoUsd: 50n });
    const usage = { ...noUsage, inputTokens: 3, outputTokens: 2 };
    ledger.watch(hold, () => sampleRow(1, { usage, outcome: "truncated" }));
    await ledger.close();
    const { rows } = await listRequestLogs(store, { limit: 5 });
    assertEquals(rows.map((row) => [row.costNanoUsd, row.uncoveredNanoUsd]), [[5_000n, undefined]]);
    assertEquals((await auditStore(store)).differences, []);
  }));

Deno.test("a call whose commit is delayed is charged once although a sweeper fences off the next record too", async () => {
  const late: Commit[] = [];
  let commits = 0;
  const flaky = (store: Store) =>
    withCommit(store, async (commit) => {
      commits++;
      if (commits === 2) return { ok: false }; // the heartbeat in the next record
      if (commits > 2) return await commit();
      late.push(commit);
      throw store.health.error("silent");
    });
  await withLedger(async (ledger, reserve, store) => {
    const other = await reserve();
    ledger.watch(other, () => sampleRow(2, { outcome: "truncated" }));
    await ledger.settle(sampleRow(1), await reserve());
    assertEquals(await Promise.all(late.map(async (commit) => (await commit()).ok)), [false]);
    await ledger.settle(sampleRow(2), other);
    const { rows } = await listRequestLogs(store, { limit: 5 });
    assertEquals(rows.map(({ id }) => id), [sampleRow(2).id, sampleRow(1).id]);
  }, flaky);
});

async function inFlight(store: Store): Promise<unknown[]> {
  const isolates = await listIsolates(store);
  const chunks = await Promise.all(isolates.map(({ id }) => listInFlight(store, id)));
  return chunks.flat().flatMap(({ flights }) => flights);
}
