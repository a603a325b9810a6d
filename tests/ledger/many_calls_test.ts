import { assert, assertEquals } from "@std/assert";
import { sweepIsolate } from "../../lib/ledger/leases/sweep.ts";
import { type InFlight, listInFlight } from "../../lib/store/isolates/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getSpent } from "../../lib/store/money/mod.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { dyingAfter } from "./failing_store.ts";
import { moneyRequest, TestIsolate } from "./isolates.ts";

/** More calls in flight than one commit takes. */

const allowanceId = "budget:key:test:total";
const request = moneyRequest({ limit: 10_000_000n, amount: 1_000n });
const calls = 3_000;

const flightsOf = (count: number, costNanoUsd: bigint): InFlight[] =>
  Array.from({ length: count }, (_, number) => ({
    row: sampleRow(number, {
      id: `req_flight_${number}`,
      outcome: "truncated",
      costNanoUsd,
      userAgent: "agent ".repeat(33),
    }),
    moneyIds: [allowanceId],
  }));

async function isolateWith(store: Store, count: number): Promise<TestIsolate> {
  const isolate = new TestIsolate(store, "busy");
  await isolate.call([request], 0n); // makes its record
  for (let call = 0; call < count; call++) await isolate.allowances.reserve([request]);
  return isolate;
}

const beat = ({ serial, membership }: TestIsolate, flights: readonly InFlight[]) =>
  serial.run(() => membership.beat(flights));

async function toldOf(store: Store, isolate: TestIsolate): Promise<readonly string[]> {
  const chunks = await listInFlight(store, isolate.membership.id ?? "");
  return chunks.flatMap(({ flights }) => flights.map(({ row }) => row.id)).sort();
}

Deno.test("heartbeats report thousands of calls in flight, each once", async () => {
  await withMemoryStore(async (store) => {
    const isolate = await isolateWith(store, 0);
    for (const count of [calls, calls - 900, 3, 0]) {
      assert(await beat(isolate, flightsOf(count, 300n)));
      assertEquals(
        await toldOf(store, isolate),
        flightsOf(count, 0n).map(({ row }) => row.id).sort(),
      );
    }
    await isolate.close();
  });
});

Deno.test("an isolate that dies while reporting its calls leaves all that it reported before", async () => {
  const few = 400;
  for (let commits = 0; commits < 3; commits++) {
    await withMemoryStore(async (store) => {
      const isolate = await isolateWith(store, few);
      assert(await beat(isolate, flightsOf(few, 300n)));
      const { membership } = isolate;
      Object.defineProperty(membership, "store", { value: dyingAfter(store, commits) });
      await beat(isolate, flightsOf(few, 300n).reverse()).catch(() => {});
      await sweepIsolate(store, membership.id ?? "");
      assertEquals(await getSpent(store, allowanceId), 300n * BigInt(few));
      await isolate.close();
    });
  }
});
