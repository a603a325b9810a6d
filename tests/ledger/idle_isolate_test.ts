import { assertEquals } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import { Ledger } from "../../lib/ledger/mod.ts";
import { listIsolates } from "../../lib/store/isolates/mod.ts";
import { callWithTestKey } from "../e2e/faults/settled.ts";
import { startGateway, testKey } from "../e2e/gateway.ts";
import { sampleRow } from "../store/samples.ts";
import { until } from "../waiting.ts";

Deno.test("a free call in flight is not looked up in the log although the idle isolate's record was deleted", async () => {
  await using gateway = await startGateway({
    keys: [{ name: "test", group: "default", value: testKey }],
  });
  const caller = await gateway.parts.gateway.identify(callWithTestKey());
  const { store } = gateway.parts;
  const ledger = await Ledger.open(store, { timeZone: "UTC", moneyWaitMs: 100, now: Date.now });
  const estimate = { caller, model: "m", boundNanoUsd: 0n, leastNanoUsd: 0n, tokens: 1_000 };
  const usage = { ...noUsage, inputTokens: 20, outputTokens: 5 };
  const row = (number: number) => sampleRow(number, { usage, upstreamId: "u" });
  await ledger.settle(row(1), await ledger.reserve(estimate));
  const long = await ledger.reserve(estimate);
  assertEquals(long.shares, []);
  assertEquals((await listIsolates(store)).length, 1);
  await until(async () => (await listIsolates(store)).length === 0, "the record stays");
  const next = await ledger.reserve(estimate);
  assertEquals(next.epoch, long.epoch); // a call of an earlier epoch is looked up before it is stored
  await ledger.settle(row(2), long);
  await ledger.close();
});
