import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { listIsolates } from "../../../lib/store/isolates/mod.ts";
import type { StoreLocation } from "../../../lib/store/kv/open.ts";
import { getRequestLog } from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { sweepIsolate } from "../../../lib/ledger/mod.ts";
import { getSpent, listAllowances } from "../../../lib/store/money/mod.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { later } from "../../waiting.ts";
import { testKey } from "../gateway.ts";
import { sizeInTurn } from "../load/sized_body.ts";
import { startServer } from "../server_process.ts";
import { joinProject, levels, tag } from "./nested.ts";
import {
  callNanoUsd,
  callPaid,
  type PaidCall,
  paidConfig,
  startPaidUpstream,
} from "./paid_upstream.ts";
import { PaidSocket } from "./paid_socket.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";

/**
 * `kill -9` at random moments under load, restarting each time on the same store: nothing that a
 * caller has read to its end is lost, nothing is there twice, no lease leaks, the budgets of key,
 * project, organization and tag have paid the same, and the audit is clean every time. TESSERA_KILLS
 * says how often.
 */

const asked = Deno.env.get("TESSERA_KILLS");
const kills = Number(asked ?? 6);
const gateways = Number(Deno.env.get("TESSERA_GATEWAYS") ?? 2);
const callers = 12;
const aliveMsMax = 1_500;
/** Every third time long enough for a heart-beat to see calls in flight, of which every fourth is a long one. */
const longAliveMs = 2_200;

Deno.test(`killed ${kills} times under load, every answer that was read is charged once`, async () => {
  const folder = await Deno.makeTempDir();
  const location = { type: "file", path: `${folder}/tessera.db` } as const;
  await withStore(location, (store) => joinProject(store, budgetNanoUsd));
  await using upstream = startPaidUpstream(({ stream }) =>
    stream && Math.random() < 0.25 ? 8_000 : 40
  );
  let answers = 0;
  let begun = 0;
  let interrupted = 0;
  let onSockets = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const config = configOf(upstream);
    const isolates = kill % 5 === 0 ? 2 : undefined;
    const server = await startServer(folder, { config, isolates });
    const stop = new AbortController();
    const read: string[] = [];
    const load = Array.from({ length: callers }, async (_, caller) => {
      while (!stop.signal.aborted) {
        begun++;
        const call = await callUntilKilled(server.base, caller, stop.signal);
        if (call?.status !== 200) continue;
        read.push(call.id);
        if (caller % 3 === 2) onSockets++;
      }
    });
    const aliveMs = (kill % 3 === 0 ? longAliveMs : 0) + Math.random() * aliveMsMax;
    await new Promise((resolve) => setTimeout(resolve, aliveMs));
    await server.kill();
    stop.abort();
    await Promise.all(load);
    answers += read.length;
    const counts = { begun, answers };
    interrupted = await withStore(location, (store) => assertNothingLost(store, read, counts));
  }
  console.log(
    `${kills} kills: ${answers} answers read, ${begun} calls begun, ${interrupted} interrupted calls settled`,
  );
  console.log(`${onSockets} of the answers were read on sockets`);
  assert(answers > 0 && onSockets > 0 && (kills < 6 || interrupted > 0));
  await removeFolder(folder);
});

testOnSharedStores(
  (kind) =>
    `${gateways} gateways on ${kind}, one of them killed ${kills} times: every answer that was read is charged once`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await withStore(kv.location, (store) => joinProject(store, budgetNanoUsd));
      await using upstream = startPaidUpstream(({ stream }) =>
        stream && Math.random() < 0.25 ? 8_000 : 40
      );
      const begin = (at: number) =>
        startServer(folder, { config: configOf(upstream), env: kv.env, name: `${at}` });
      const servers = await Promise.all(Array.from({ length: gateways }, (_, at) => begin(at)));
      const stop = new AbortController();
      const got: PaidCall[] = [];
      let begun = 0;
      const load = Array.from({ length: callers }, async (_, caller) => {
        while (!stop.signal.aborted) {
          begun++;
          const { base } = servers[caller % gateways];
          const call = await callUntilKilled(base, caller, stop.signal);
          if (call) got.push(call);
          else await later(20);
        }
      });
      let killedAtMs = 0;
      for (let kill = 0; kill < kills; kill++) {
        await later(Math.random() * aliveMsMax);
        const victim = Math.floor(Math.random() * gateways);
        await servers[victim].kill();
        killedAtMs = Date.now();
        servers[victim] = await begin(victim);
      }
      stop.abort();
      await Promise.all(load);
      const sweptMs = asked === undefined ? undefined : await sweptAfter(kv.location, killedAtMs);
      for (const server of servers) assertEquals(await server.stop(), 0, server.said());
      const read = got.filter(({ isWhole }) => isWhole).map(({ id }) => id);
      await withStore(kv.location, async (store) => {
        for (const { id } of await listIsolates(store)) await sweepIsolate(store, id);
        const counts = { begun, answers: read.length };
        const interrupted = await assertNothingLost(store, read, counts);
        await assertRefusals(store, got);
        const ended = `${read.length} answers read, ${
          got.length - read.length
        } refused or cut short`;
        const swept = sweptMs === undefined ? "" : ` within ${sweptMs} ms`;
        console.log(
          `${kills} kills: ${ended}, ${begun} calls begun, ${interrupted} interrupted calls settled${swept}`,
        );
      });
    }),
);

/** A busy machine refuses calls; no refusal may deny a charge that was made. */
async function assertRefusals(store: Store, got: readonly PaidCall[]): Promise<void> {
  for (const { status, code, id, message = "" } of got) {
    if (status === 200) continue;
    assertEquals([status, code], [503, "store_unavailable"]);
    const row = await getRequestLog(store, id);
    assert(!row?.costNanoUsd || !message.includes("Not charged"), message);
  }
}

/** The time from the last kill until no record of a killed isolate is left: 45 seconds at most. */
async function sweptAfter(location: StoreLocation, killedAtMs: number): Promise<number> {
  for (;;) {
    const isolates = await withStore(location, listIsolates);
    const left = isolates.filter(({ heartbeatAtMs }) => heartbeatAtMs <= killedAtMs);
    const ms = Date.now() - killedAtMs;
    if (left.length === 0) return ms;
    assert(ms < 45_000, `${left.length} isolates after ${ms} ms`);
    await later(500);
  }
}

const budgetNanoUsd = 1_000n * 10n ** 9n;

/** Each call costs the operator three quarters of its charge. */
const upstreamCost = { nanoUsd: callNanoUsd * 3n / 4n };

function configOf(upstream: Parameters<typeof paidConfig>[0]) {
  const { upstreams, ...others } = paidConfig(upstream);
  return {
    ...others,
    upstreams: (upstreams as object[]).map((one) => ({ ...one, costs: { factor: 0.75 } })),
    keys: [{ name: "test", value: testKey, budget: { usd: 1_000, period: "total" } }],
  };
}

async function callUntilKilled(
  base: string,
  caller: number,
  signal: AbortSignal,
): Promise<PaidCall | undefined> {
  const { bytes } = sizeInTurn(caller);
  try {
    if (caller % 3 === 2) return await socketOf(caller).call(base, testKey, { tag, signal });
    return await callPaid(base, testKey, { stream: caller % 2 === 0, bytes, tag, signal });
  } catch {
    return undefined; // the gateway was killed meanwhile
  }
}

/** Every third caller makes its calls on a WebSocket. */
const sockets = new Map<number, PaidSocket>();

function socketOf(caller: number): PaidSocket {
  return sockets.getOrInsertComputed(caller, () => new PaidSocket());
}

/** Says how many interrupted calls were settled so far. */
async function assertNothingLost(
  store: Store,
  read: readonly string[],
  { begun, answers }: { readonly begun: number; readonly answers: number },
): Promise<number> {
  const audit = await auditStore(store);
  assertEquals(audit.differences, []);
  const rows = await Promise.all(read.map((id) => getRequestLog(store, id)));
  for (const [at, id] of read.entries()) {
    const row = rows[at];
    assert(row, `${id} was read to its end and is not in the log`);
    const { outcome, costNanoUsd } = row;
    assertEquals([outcome, costNanoUsd], ["completed", callNanoUsd]);
    assertEquals(row.upstreamCost, upstreamCost);
  }
  assert(BigInt(audit.upstreamNanoUsd) >= BigInt(read.length) * upstreamCost.nanoUsd);
  assert(BigInt(audit.upstreamNanoUsd) < BigInt(audit.costNanoUsd));
  assert(audit.calls >= answers && audit.calls <= begun, `${audit.calls} calls of ${begun}`);
  assertEquals(await listIsolates(store), []);
  for (const level of levels) assertEquals(String(await getSpent(store, level)), audit.costNanoUsd);
  for (const { id, allotted, spent } of await listAllowances(store)) {
    assertEquals([id, allotted], [id, spent]);
  }
  return await interruptedCalls(store);
}

async function interruptedCalls(store: Store): Promise<number> {
  let count = 0;
  for await (const { errorCode } of allRows(store)) if (errorCode === "interrupted") count++;
  return count;
}

async function withStore<Result>(
  location: StoreLocation,
  run: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ location, secret: "a-secret-of-tests" });
  try {
    return await run(store);
  } finally {
    store.close();
  }
}
