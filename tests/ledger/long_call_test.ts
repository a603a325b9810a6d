import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../lib/audit/mod.ts";
import { noUsage } from "../../lib/canonical/mod.ts";
import { type Hold, Ledger } from "../../lib/ledger/mod.ts";
import { resolvePrice } from "../../lib/ledger/price.ts";
import { callWithTestKey } from "../e2e/faults/settled.ts";
import { startGateway, testKey } from "../e2e/gateway.ts";
import { sampleRow } from "../store/samples.ts";
import { until } from "../waiting.ts";

/** A call that goes on for as long as the default timeouts allow, on a clock of its own. */

const minuteMs = 60_000;

Deno.test("a call of an hour is charged by every limit and keeps nothing, though its minute is long over", async () => {
  await using gateway = await startGateway({
    keys: [{
      name: "test",
      group: "default",
      value: testKey,
      budget: { usd: 1, period: "day" },
      limits: { requestsPerMinute: 2, tokensPerMinute: 30_000, concurrency: 1 },
    }],
  });
  const { store, gateway: { identify } } = gateway.parts;
  const clock = { nowMs: Date.UTC(2026, 10, 22, 12, 0, 30) };
  const ledger = await Ledger.open(store, {
    timeZone: "UTC",
    moneyWaitMs: 100,
    now: () => clock.nowMs,
  });
  const caller = await identify(callWithTestKey());
  const estimate = {
    caller,
    model: "m",
    price: resolvePrice({ input: 1, output: 1 }),
    boundNanoUsd: 1_000_000n,
    leastNanoUsd: 1_000n,
    tokens: 1_000,
  };
  const hold = await ledger.reserve(estimate);
  let beats = 0;
  ledger.watch(hold, () => {
    beats++;
    return sampleRow(1, { outcome: "truncated" });
  });
  clock.nowMs += 75 * minuteMs;
  await until(() => beats >= 2, "no heart-beat shows the call");
  const usage = { ...noUsage, inputTokens: 20_000, outputTokens: 5_000 }; // more than was set aside
  const row = await ledger.settle(sampleRow(1, { usage, upstreamId: "u" }), hold);
  assertEquals(row.costNanoUsd, 25_000_000n);
  const next = await ledger.reserve(estimate);
  assertEquals(heldBeside(next), []);
  ledger.release(next);
  await ledger.close();
  const { ok, calls, costNanoUsd, differences } = await auditStore(store);
  assertEquals(differences, []);
  assertEquals([ok, calls, costNanoUsd], [true, 1, "25000000"]);
});

/** The amounts that the limits hold for other calls than this one. */
function heldBeside({ shares }: Hold): unknown[] {
  assert(shares.length >= 4, "not every limit binds the call");
  return shares.filter(({ lease, reserved }) => lease.reserved > reserved || lease.spending > 0n)
    .map(({ lease }) => lease.kind);
}
