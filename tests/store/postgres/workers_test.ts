import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Engine } from "../../../lib/store/kv/engine.ts";
import { startPgbouncer } from "../../pgbouncer.ts";
import { type PostgresServer, startPostgres } from "../../postgres_server.ts";
import { openEngine, testOnPostgres, testThroughPgbouncer, withEngine } from "./postgres_store.ts";
import { accounts, type Done, guards, numberIn } from "./worker.ts";

const [workers, fewWorkers] = [16, 4];
const seconds = Number(Deno.env.get("WORKER_SECONDS") ?? 4);

testOnPostgres(`${workers} processes lose no update of shared keys`, async () => {
  await using server = await startPostgres({ settings: { max_connections: 150 } });
  assertEquals(await lostBy(server, workers), []);
  assertEquals(await deadlocksOf(server), 0);
});

testThroughPgbouncer(
  `${fewWorkers} processes lose no update of shared keys, through PgBouncer`,
  async () => {
    await using server = await startPostgres();
    await using pooled = await startPgbouncer(server);
    assertEquals(await lostBy(pooled, fewWorkers), []);
    assertEquals(await deadlocksOf(server), 0);
  },
);

testOnPostgres(`${fewWorkers} processes lose updates of shared keys without locks`, async () => {
  await using server = await startPostgres();
  assertNotEquals(await lostBy(server, fewWorkers, () => dropLocks(server)), []);
});

/** Removes the lines that lock from the function that commits. */
async function dropLocks(server: PostgresServer): Promise<void> {
  const definition = await server.run(
    "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname LIKE 'commit\\_%'",
  );
  const [begin, end] = ["IF cardinality(locks) = 0 THEN", "END IF;"];
  const at = definition.indexOf(begin);
  const locking = definition.slice(at, definition.indexOf(end, at) + end.length);
  assertEquals(locking.match(/pg_advisory_xact_lock/g)?.length, 4);
  await server.run(definition.replace(locking, ""));
}

async function deadlocksOf(server: PostgresServer): Promise<number> {
  const sql = "SELECT deadlocks FROM pg_stat_database WHERE datname = 'tessera'";
  return Number(await server.run(sql));
}

/** Lets processes work on one store, and returns what it does not hold although they committed it. */
async function lostBy(
  server: PostgresServer,
  workers: number,
  prepare = async () => {},
): Promise<string[]> {
  const url = server.url("shared", { pool: "3" });
  (await openEngine(url)).close();
  await prepare();
  const results = await Promise.all(Array.from({ length: workers }, () => work(url)));
  let differences: string[] = [];
  await withEngine(
    url,
    async (engine) => void (differences = await differencesIn(engine, results)),
  );
  return differences;
}

async function differencesIn(engine: Engine, results: readonly Done[]): Promise<string[]> {
  const total = (count: (done: Done) => number) =>
    results.reduce((sum, done) => sum + count(done), 0);
  const number = async (key: Deno.KvKey) => {
    const { value } = await engine.get(key);
    return value instanceof Deno.KvU64 ? Number(value.value) : numberIn(value);
  };
  const listed = (name: string) => Array.fromAsync(engine.list({ prefix: [name] }));
  const balances = await listed("account");
  const guarded = (await listed("guard")).map(({ key }) => key[1]);
  const facts: Record<string, readonly [found: number, expected: number]> = {
    x: [await number(["sum", "x"]), total(({ sums }) => sums)],
    y: [await number(["sum", "y"]), total(({ sums }) => sums)],
    accounts: [balances.length, accounts],
    balance: [balances.reduce((sum, { value }) => sum + numberIn(value), 0), 0],
    unique: [(await listed("unique")).length, total(({ unique }) => unique)],
    guarded: [guarded.length, total(({ guarded }) => guarded)],
    "one of two keys": [new Set(guarded).size, guarded.length],
    large: [await number(["large"]), total(({ large }) => large)],
  };
  for (const at of [0, 1, 2]) {
    facts[`counter ${at}`] = [
      await number(["counter", at]),
      total(({ counters }) => counters[at]),
    ];
  }
  assert(guarded.length <= guards);
  const updates = total(({ sums, counters: [a, b, c] }) => a + b + c + sums);
  const different = Object.entries(facts).filter(([, [found, expected]]) => found !== expected);
  const shown = different.map(([name, [found, expected]]) => `${name}: ${found} of ${expected}`);
  console.log(
    `  ${updates} updates, ${total(({ conflicts }) => conflicts)} conflicts, lost:`,
    shown,
  );
  return shown;
}

async function work(url: string): Promise<Done> {
  const worker = new URL("worker.ts", import.meta.url).pathname;
  const flags = ["-A", "--no-check", "--node-modules-dir=manual", "--config", "tests/deno.json"];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, worker, url, `${seconds}`],
    stderr: "inherit",
  }).output();
  assert(success);
  return JSON.parse(new TextDecoder().decode(stdout));
}
