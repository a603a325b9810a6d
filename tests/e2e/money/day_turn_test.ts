import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { sweepIsolate } from "../../../lib/ledger/mod.ts";
import { listIsolates } from "../../../lib/store/isolates/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { getSpent, listAllowances } from "../../../lib/store/money/mod.ts";
import { later } from "../../waiting.ts";
import { testKey } from "../gateway.ts";
import { startServer } from "../server_process.ts";
import {
  callNanoUsd,
  callPaid,
  type PaidCall,
  paidConfig,
  startPaidUpstream,
} from "./paid_upstream.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";

/**
 * Gateways whose clocks show midnight during the run, one a little after the other: a budget per day
 * is used up on both days and overdrawn on none, and calls in flight at midnight count for the day
 * in which they began.
 */
const gateways = 3;
const callers = 12;
const callsPerDay = 90;
const budgetNanoUsd = callNanoUsd * BigInt(callsPerDay);
/** The time from the start of the processes until midnight, and the load before and after it. */
const [startMs, loadMs] = [16_000, 4_500];
const skewMs = 120;
const dayMs = 86_400_000;

testOnSharedStores(
  (kind) => `the day turns on ${gateways} gateways on ${kind}: no day's budget is overdrawn`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await using upstream = startPaidUpstream(({ stream }) => stream ? 5_000 : 40);
      const usd = Number(budgetNanoUsd) / 1e9;
      const keys = [{ name: "test", value: testKey, budget: { usd, period: "day" } }];
      const config = { ...paidConfig(upstream), keys, limits: { moneyWaitMs: 300 } };
      const midnightMs = Math.floor(Date.now() / dayMs) * dayMs;
      const turnsAt = Date.now() + startMs;
      const servers = await Promise.all(Array.from({ length: gateways }, async (_, at) => {
        const clock = `${folder}/clock_${at}.js`;
        await Deno.writeTextFile(clock, clockOf(midnightMs - turnsAt - at * skewMs));
        const permissions = [`--preload=${clock}`];
        return startServer(folder, { config, env: kv.env, name: `${at}`, permissions });
      }));
      assert(Date.now() < turnsAt - loadMs, "the gateways did not start before midnight");
      await later(turnsAt - loadMs - Date.now());
      const got: PaidCall[] = [];
      await Promise.all(Array.from({ length: callers }, async (_, caller) => {
        while (Date.now() < turnsAt + loadMs) {
          const { base } = servers[caller % gateways];
          const call = await callPaid(base, testKey, { stream: caller % 3 === 0, maxTokens: 20 });
          got.push(call);
          if (call.status !== 200) await later(50);
        }
      }));
      for (const server of servers) assertEquals(await server.stop(), 0, server.said());
      const store = await openStore({ location: kv.location, secret: "a-secret-of-tests" });
      try {
        await assertBothDays(store, got, midnightMs);
      } finally {
        store.close();
      }
    }),
);

/** A module that shifts the clock of a process. */
function clockOf(shiftMs: number): string {
  return `const now = Date.now;
Date.now = () => now() + ${shiftMs};
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...given.length === 0 ? [Date.now()] : given);
  }
};`;
}

async function assertBothDays(
  store: Store,
  got: readonly PaidCall[],
  midnightMs: number,
): Promise<void> {
  for (const { id } of await listIsolates(store)) await sweepIsolate(store, id);
  const audit = await auditStore(store);
  assertEquals(audit.differences, []);
  const read = got.filter(({ status, isWhole }) => status === 200 && isWhole);
  const refused = got.filter(({ status }) => status !== 200);
  assertEquals(new Set(refused.map(({ status }) => status)), new Set([402]));
  const days = [midnightMs - 1, midnightMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  const allowances = (await listAllowances(store)).filter(({ id }) => id.startsWith("budget:key:"));
  assertEquals(allowances.map(({ id }) => id.split(":").at(-1)), days);
  const spent = await Promise.all(allowances.map(({ id }) => getSpent(store, id)));
  const { turned, used } = await totalsOf(store, midnightMs);
  console.log(
    `  ${read.length} answers and ${refused.length} refusals, ${turned} calls in flight at midnight: ${
      spent.map((one) => one / callNanoUsd)
    } of ${callsPerDay} calls a day`,
  );
  assertEquals(used, callNanoUsd * BigInt(read.length));
  assertEquals(String(spent[0] + spent[1]), audit.costNanoUsd);
  assert(turned > 0, "no call was in flight at midnight");
  for (const one of spent) assert(one <= budgetNanoUsd && one * 10n >= budgetNanoUsd * 9n);
  for (const { allotted, spent } of allowances) assertEquals(allotted, spent);
}

/** The calls that began before midnight and ended after it, and the price of all. */
async function totalsOf(store: Store, midnightMs: number) {
  let [turned, used] = [0, 0n];
  for await (
    const { atMs, durationMs, costNanoUsd = 0n, uncoveredNanoUsd = 0n } of allRows(store)
  ) {
    if (atMs < midnightMs && atMs + durationMs > midnightMs) turned++;
    used += costNanoUsd + uncoveredNanoUsd;
  }
  return { turned, used };
}
