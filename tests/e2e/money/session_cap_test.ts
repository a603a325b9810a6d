import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { sessionUsage, sweepIsolate } from "../../../lib/ledger/mod.ts";
import { listIsolates } from "../../../lib/store/isolates/mod.ts";
import type { StoreLocation } from "../../../lib/store/kv/open.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { sessionBudgets } from "../../../lib/store/money/budget.ts";
import { listAllowances } from "../../../lib/store/money/mod.ts";
import { later, until } from "../../waiting.ts";
import { testKey } from "../gateway.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
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
 * 500 sub-agents of one session at once, in several isolates and processes of which some are killed,
 * and 500 more once the killed ones are swept: the session spends no more than its cap, which pays two
 * hundred calls.
 */

const agents = 500;
const kills = 3;
const capNanoUsd = 200n * callNanoUsd;

function configOf(upstream: Parameters<typeof paidConfig>[0]) {
  const budget = { usd: Number(capNanoUsd) / 1e9, period: "session" };
  return { ...paidConfig(upstream), keys: [{ name: "test", value: testKey, budget }] };
}

/** A server that is started again after each kill. */
interface Place {
  server: ServerProcess;
  readonly start: () => Promise<ServerProcess>;
}

async function startPlace(start: () => Promise<ServerProcess>): Promise<Place> {
  return { server: await start(), start };
}

/** The call of a sub-agent, repeated while its gateway is gone. */
async function untilAnswered(agent: number, places: readonly Place[]): Promise<PaidCall> {
  for (let tries = 0; tries < 200; tries++) {
    const { server } = places[(agent + tries) % places.length];
    try {
      const session = `build-7/a${agent}/subagent`;
      const call = await callPaid(server.base, testKey, { stream: agent % 2 === 0, session });
      if (call.status !== 503 && (call.status !== 200 || call.isWhole)) return call;
    } catch { /* the gateway was killed */ }
    await later(100);
  }
  throw new Error(`the call of sub-agent ${agent} was never answered`);
}

async function assertCapKept(places: readonly Place[], location: StoreLocation): Promise<void> {
  const calls = Promise.all(
    Array.from({ length: agents }, (_, agent) => untilAnswered(agent, places)),
  );
  for (let kill = 0; kill < kills; kill++) {
    await later(200 + Math.random() * 600);
    const place = places[kill % places.length];
    await place.server.kill();
    place.server = await place.start();
  }
  const answers = await calls;
  if (location.type !== "file") await untilSwept(location); // a file's next process sweeps as it starts
  const burst = Array.from({ length: agents }, (_, at) => untilAnswered(agents + at, places));
  answers.push(...await Promise.all(burst));
  const paid = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 402);
  assertEquals(paid + refused.length, 2 * agents, JSON.stringify(answers.slice(0, 5)));
  assertStringIncludes(refused[0].message ?? "", "session build-7 budget of $0.02");
  for (const { server } of places) assertEquals(await server.stop(), 0, server.said());
  const store = await openStore({ location, secret: "a-secret-of-tests" });
  const spent = await spentIn(store);
  console.log(`${paid} calls answered, ${refused.length} refused, ${spent} of ${capNanoUsd} spent`);
  assert(spent <= capNanoUsd && spent >= BigInt(paid) * callNanoUsd);
  assert(spent > capNanoUsd * 9n / 10n, "calls were refused although the cap had room");
  store.close();
}

/** Waits until what the killed isolates held of the cap has gone back to it. */
async function untilSwept(location: StoreLocation): Promise<void> {
  const killedAtMs = Date.now();
  const store = await openStore({ location, secret: "a-secret-of-tests" });
  const isSwept = async () =>
    (await listIsolates(store)).every(({ heartbeatAtMs }) => heartbeatAtMs > killedAtMs);
  await until(isSwept, "an isolate that was killed is still there", 90_000);
  store.close();
}

/** The cost of the session: budget, rows and sums agree, and the audit finds no difference. */
async function spentIn(store: Store): Promise<bigint> {
  for (const { id } of await listIsolates(store)) await sweepIsolate(store, id);
  assertEquals((await auditStore(store)).differences, []);
  let rows = 0n;
  let keyId = "";
  for await (const { session, costNanoUsd = 0n, uncoveredNanoUsd = 0n, ...row } of allRows(store)) {
    assertEquals(session?.id, "build-7");
    keyId = row.keyId;
    rows += costNanoUsd + uncoveredNanoUsd;
  }
  const { counts, parts } = await sessionUsage(store, { id: keyId }, { id: "build-7" });
  assertEquals(counts.costNanoUsd + counts.uncoveredNanoUsd, rows);
  assert(parts.length <= 2 * agents && parts.length > agents / 2);
  const allowances = await listAllowances(store);
  const caps = allowances.filter(({ id }) => id.startsWith(sessionBudgets));
  assertEquals(caps.map(({ spent, allotted }) => [spent, allotted]), [[rows, rows]]);
  return rows;
}

Deno.test(`session cap: ${agents} sub-agents in two isolates, killed ${kills} times, spend no more`, () =>
  withStoreFolder(async (folder) => {
    await using upstream = startPaidUpstream(() => 60);
    const start = () => startServer(folder, { config: configOf(upstream), isolates: 2 });
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    await assertCapKept([await startPlace(start)], location);
  }));

testOnSharedStores(
  (kind) =>
    `session cap: ${agents} sub-agents in two processes on ${kind}, killed ${kills} times, spend no more`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await using upstream = startPaidUpstream(() => 60);
      const startAt = (name: string) => () =>
        startServer(folder, { config: configOf(upstream), env: kv.env, name });
      const places = await Promise.all(["a", "b"].map((name) => startPlace(startAt(name))));
      await assertCapKept(places, kv.location);
    }),
);
