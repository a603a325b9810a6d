import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../lib/audit/mod.ts";
import { listIsolates } from "../../lib/store/isolates/mod.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { listAllowances } from "../../lib/store/money/mod.ts";
import { testKey } from "../e2e/gateway.ts";
import {
  callNanoUsd,
  callPaid,
  paidConfig,
  startPaidUpstream,
} from "../e2e/money/paid_upstream.ts";
import { withStoreFolder } from "../e2e/money/place.ts";
import { type SharedStore, testOnSharedStores } from "../e2e/money/shared_store.ts";
import { type ServerProcess, startServer } from "../e2e/server_process.ts";
import { buildWhenStale } from "../../tools/build.ts";
import { later, until } from "../waiting.ts";
import { deployEnv } from "./deploy_env.ts";

/**
 * Deno Deploy's conditions: several isolates on one database, which write no file and are killed at
 * any moment under load, with notice (SIGINT, SIGKILL five seconds later) or without. Every answer
 * that a caller has read is in the log exactly once. DEPLOY_MINUTES is the time under load.
 */

const loadMs = Number(Deno.env.get("DEPLOY_MINUTES") ?? 0.5) * 60_000;
const isolates = 3;
const callers = 8;
const [killEveryMs, killWithinMs] = [2_000, 4_000];
const killedAfterMs = 5_000;
/** The others take an isolate for dead after 25 s of silence, and look every 10 s. */
const sweptWithinMs = 60_000;
/** Longer than the 10 s between heartbeats of an isolate without calls. */
const silentMs = 15_000;
/** The share of streams that are still open after seconds. */
const longShare = 0.25;

/** A run and what its callers saw. */
interface Run {
  readonly alive: Set<ServerProcess>;
  readonly startNext: () => Promise<ServerProcess>;
  /** The ids of the answers that were read to their end. */
  readonly read: string[];
  /** Everything that the processes logged. */
  readonly said: string[];
  begun: number;
  /** Stopped with notice. */
  evicted: number;
  /** The evicted ones that had stopped before SIGKILL. */
  stopped: number;
  killed: number;
}

testOnSharedStores(
  (kind) =>
    `${isolates} isolates of an app on Deno Deploy on ${kind} are killed at random: every answer is in the log once`,
  (startShared) =>
    withStoreFolder(async (folder) => {
      await buildWhenStale(); // the platform builds before it starts
      await using shared = await startShared(folder);
      await using upstream = startPaidUpstream(({ stream }) =>
        stream && Math.random() < longShare ? 8_000 : 40
      );
      const config = {
        ...paidConfig(upstream),
        keys: [{
          name: "test",
          value: testKey,
          budget: { usd: 1_000, period: "total" },
          limits: { concurrency: 100 },
        }],
      };
      const run = newRun((name) =>
        startServer(folder, {
          ...{ config, name, entry: "deploy.ts", permissions: ["--deny-write"] },
          env: { ...deployEnv, ...shared.deployEnv, HOST: "127.0.0.1" },
        })
      );
      try {
        for (let at = 0; at < isolates; at++) run.alive.add(await run.startNext());
        await underLoad(run);
        await withStore(shared, untilSwept);
        for (const server of run.alive) assertEquals(await server.stop(), 0);
        run.alive.clear();
        await withStore(shared, (store) => assertNothingLost(store, run));
        assertEquals(run.said.filter((text) => /write access|NotCapable/.test(text)), []);
      } finally {
        for (const server of run.alive) await server.kill();
      }
    }),
);

function newRun(start: (name: string) => Promise<ServerProcess>): Run {
  let started = 0;
  return {
    alive: new Set(),
    startNext: () => start(`isolate${started++}`),
    ...{ read: [], said: [], begun: 0, evicted: 0, stopped: 0, killed: 0 },
  };
}

/** Calls and kills until the time is over. */
async function underLoad(run: Run): Promise<void> {
  const stop = new AbortController();
  const calling = Array.from({ length: callers }, (_, caller) => call(run, caller, stop.signal));
  const endsAt = performance.now() + loadMs;
  while (performance.now() < endsAt) {
    await later(killEveryMs + Math.random() * (killWithinMs - killEveryMs));
    const [victim] = shuffled(run.alive);
    if (victim === undefined) continue;
    const next = run.startNext(); // beside it, as the platform does
    if (Math.random() < 0.5) await evict(victim, run);
    else await kill(victim, run);
    run.alive.add(await next);
  }
  stop.abort();
  await Promise.all(calling);
}

/** SIGINT, and SIGKILL after five seconds unless it has stopped. */
async function evict(server: ServerProcess, run: Run): Promise<void> {
  run.alive.delete(server);
  const timer = setTimeout(() => server.process.kill("SIGKILL"), killedAfterMs);
  server.process.kill("SIGINT");
  const { code } = await server.process.status;
  clearTimeout(timer);
  run.evicted++;
  if (code === 0) run.stopped++;
  run.said.push(server.said());
}

async function kill(server: ServerProcess, run: Run): Promise<void> {
  run.alive.delete(server);
  await server.kill();
  run.killed++;
  run.said.push(server.said());
}

/** Calls one isolate after another until the run is over. */
async function call(run: Run, caller: number, stop: AbortSignal): Promise<void> {
  for (let at = 0; !stop.aborted; at++) {
    const [server] = shuffled(run.alive);
    if (server === undefined) {
      await later(20);
      continue;
    }
    run.begun++;
    try {
      const stream = (caller + at) % 2 === 0;
      const answer = await callPaid(server.base, testKey, { stream, signal: stop });
      if (answer.isWhole) run.read.push(answer.id);
    } catch {
      await later(20); // the isolate was killed meanwhile
    }
  }
}

/** Waits until the isolates that were killed without notice are settled by those that run. */
async function untilSwept(store: Store): Promise<void> {
  await later(silentMs); // the dead ones are silent for so long by then
  const isSwept = async () => {
    await later(250);
    const isolates = await listIsolates(store);
    return isolates.every(({ heartbeatAtMs }) => Date.now() - heartbeatAtMs < silentMs);
  };
  await until(isSwept, "the killed isolates are not swept", sweptWithinMs);
}

async function assertNothingLost(store: Store, run: Run): Promise<void> {
  assertEquals(await listIsolates(store), []);
  for (const { id, allotted, spent } of await listAllowances(store)) {
    if (id.startsWith("budget")) assertEquals([id, allotted], [id, spent]);
  }
  const rows = await rowsById(store);
  for (const id of run.read) {
    const row = rows.get(id);
    assert(row, `${id} was read to its end and is not in the log`);
    assertEquals(row.outcome, "completed");
    // An eviction may come between an answer's last words and its usage, which is then counted.
    if (row.usageSource === "upstream") assertEquals(row.costNanoUsd, callNanoUsd);
    else assert(row.costNanoUsd, `${id} is not charged`);
  }
  const { differences, calls } = await auditStore(store);
  assertEquals(differences, []);
  assert(calls >= run.read.length && calls <= run.begun, `${calls} calls of ${run.begun}`);
  const ended = (code: string) => rows.values().filter((row) => row.errorCode === code).toArray();
  console.log(
    `${run.killed} killed, ${run.evicted} evicted (${run.stopped} in time): ${run.read.length} answers read of ${run.begun} calls, ` +
      `${ended("interrupted").length} interrupted, ${ended("shutting_down").length} shut down`,
  );
  assert(run.read.length > 0);
}

async function rowsById(store: Store): Promise<Map<string, RequestLogRow>> {
  const rows = new Map<string, RequestLogRow>();
  for await (const row of allRows(store)) {
    assert(!rows.has(row.id), `${row.id} is there twice`);
    rows.set(row.id, row);
  }
  return rows;
}

async function withStore(
  { location }: SharedStore,
  run: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await openStore({ location, secret: "a-secret-of-tests" });
  try {
    await run(store);
  } finally {
    store.close();
  }
}

function shuffled<Item>(items: Iterable<Item>): Item[] {
  return [...items].map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at).map(({ item }) => item);
}
