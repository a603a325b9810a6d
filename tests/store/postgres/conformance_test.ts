import { assertEquals } from "@std/assert";
import { DenoEngine, type Engine } from "../../../lib/store/kv/engine.ts";
import { startPgbouncer } from "../../pgbouncer.ts";
import { type PostgresServer, startPostgres } from "../../postgres_server.ts";
import { testOnPostgres, testThroughPgbouncer, withEngine } from "./postgres_store.ts";

/** `CONFORMANCE=100000` compares more operations; `SEED` repeats a run. */
const operations = Number(Deno.env.get("CONFORMANCE") ?? 4_000);
const firstSeed = Number(Deno.env.get("SEED") ?? Date.now() % 1e9);

type Result = { readonly result: unknown };

testOnPostgres(
  `random operations have the same results as on Deno KV (seed ${firstSeed})`,
  async () => {
    await using server = await startPostgres({ settings: { fsync: "off" } });
    await compareWith(server, operations);
  },
);

testThroughPgbouncer(
  `random operations have the same results as on Deno KV, through PgBouncer (seed ${firstSeed})`,
  async () => {
    await using server = await startPostgres({ settings: { fsync: "off" } });
    await using pooled = await startPgbouncer(server);
    await compareWith(pooled, operations / 4);
  },
);

async function compareWith(server: PostgresServer, operations: number): Promise<void> {
  await withEngine(server.url(), async (postgres) => {
    const kv = new DenoEngine(await Deno.openKv(":memory:"));
    try {
      await compare([kv, postgres], new Random(firstSeed), operations);
    } finally {
      kv.close();
    }
  });
}

class Random {
  constructor(private seed: number) {}

  next(): number {
    this.seed = (Math.imul(this.seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return this.seed / 0x80000000;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)];
  }

  list<Item>(most: number, item: () => Item): Item[] {
    return Array.from({ length: this.below(most) }, item);
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}

const parts: readonly Deno.KvKeyPart[] = [
  ..."abc",
  ..."abc",
  ..."abc",
  "aé",
  "a\0",
  "a\0b",
  "",
  "ÿ",
  "𝄞",
  0,
  1.5,
  -1,
  -0,
  Infinity,
  ...[1n, -1n, 0n, 255n, 256n, -256n, 2n ** 64n, -(2n ** 70n)],
  true,
  false,
  ...[[0], [0, 255], [255], []].map((bytes) => Uint8Array.from(bytes)),
];

/** Keys and values to draw from. */
class Pool {
  readonly keys: readonly Deno.KvKey[];
  readonly sums: readonly Deno.KvKey[] = Array.from(
    { length: 8 },
    (_, at) => ["sum", at % 2 ? at : `${at}`],
  );

  constructor(readonly random: Random) {
    this.keys = Array.from(
      { length: 60 },
      () => [random.of(parts), ...random.list(3, () => random.of(parts))],
    );
  }

  key(): Deno.KvKey {
    return this.random.of(this.keys);
  }

  amount(): bigint {
    const { random } = this;
    return random.of([0n, 1n, 5n, 2n ** 63n, 2n ** 64n - 1n, BigInt(random.below(1e9))]);
  }

  value(): Uint8Array | Deno.KvU64 {
    const { random } = this;
    if (random.next() < 0.1) return new Deno.KvU64(this.amount());
    return random.bytes(random.of([0, 1, 10, 300, 2_000]));
  }
}

async function compare(
  engines: readonly [Engine, Engine],
  random: Random,
  operations: number,
): Promise<void> {
  const pool = new Pool(random);
  const steps = [get, getMany, list, list, list, change, change, change, sum];
  for (let at = 0; at < operations; at++) {
    const step = random.of(steps)(pool);
    const [expected, found] = await Promise.all(
      engines.map((engine, which) => outcome(step, engine, which)),
    );
    assertEquals(found, expected, `operation ${at} ${step.name}`);
  }
  const everything = await Promise.all(engines.map((engine) => listed(engine, { prefix: [] }, {})));
  assertEquals(everything[1], everything[0], "all entries");
  for (const step of refusals()) {
    const [expected, found] = await Promise.all(
      engines.map((engine, which) => outcome(step, engine, which)),
    );
    assertEquals(found, expected);
    assertEquals(typeof (found as { error?: string }).error, "string");
  }
}

type Step = (engine: Engine, which: number) => Promise<unknown>;

/** Versionstamps differ, so only their presence is compared. */
function outcome(step: Step, engine: Engine, which: number): Promise<unknown> {
  return step(engine, which).then(
    (result): Result => ({ result }),
    (error: Error) => ({
      error: `${error.name}: ${error.message}`.replace(/'(min|max)'/, "'sum'"),
    }),
  );
}

function shown({ key, value, versionstamp }: Deno.KvEntryMaybe<unknown>): unknown {
  return { key, value, isThere: versionstamp !== null };
}

async function listed(engine: Engine, selector: Deno.KvListSelector, options: Deno.KvListOptions) {
  return (await Array.fromAsync(engine.list(selector, options))).map(shown);
}

function get(pool: Pool): Step {
  const key = pool.key();
  return async (engine) => shown(await engine.get(key));
}

function getMany({ random, keys, sums }: Pool): Step {
  const chosen = random.list(11, () => random.of(random.next() < 0.2 ? sums : keys));
  return async (engine) => (await engine.getMany(chosen)).map(shown);
}

function list(pool: Pool): Step {
  const { random } = pool;
  const prefix = pool.key().slice(0, random.below(2));
  const selector = random.of<Deno.KvListSelector>([
    { prefix: [] },
    { prefix },
    { start: pool.key(), end: pool.key() },
    { prefix, start: [...prefix, ...pool.key()] },
    { prefix, end: [...prefix, ...pool.key()] },
  ]);
  const options = {
    reverse: random.next() < 0.5,
    ...(random.next() < 0.5 && { limit: 1 + random.below(10) }),
    ...(random.next() < 0.5 && { batchSize: 1 + random.below(7) }),
  };
  return (engine) => listed(engine, selector, options);
}

function sum(pool: Pool): Step {
  const { random } = pool;
  const key = random.next() < 0.05 ? pool.key() : random.of(pool.sums);
  const type = random.of(["sum", "sum", "min", "max"] as const);
  const mutation = { type, key, value: new Deno.KvU64(pool.amount()) };
  const mutations = random.next() < 0.2 ? [mutation, mutation] : [mutation];
  return async (engine) => (await engine.commit({ checks: [], mutations })).ok;
}

/** Several changes, under checks that hold or not. */
function change(pool: Pool): Step {
  const { random, keys, sums } = pool;
  const checked = random.list(4, () => pool.key());
  const [isStale, isAbsent] = [random.next() < 0.2, random.next() < 0.15];
  const mutations = random.list(6, () => mutationOf(pool, random.next() < 0.3 ? sums : keys));
  return async (engine) => {
    const checks: Deno.AtomicCheck[] = await Promise.all(checked.map((key) => engine.get(key)));
    if (isStale && checked[0]) {
      await engine.commit({
        checks: [],
        mutations: [{ type: "set", key: checked[0], value: Uint8Array.of(1) }],
      });
    }
    if (isAbsent && checked[0]) checks[0] = { key: checked[0], versionstamp: null };
    const committed = await engine.commit({ checks, mutations });
    if (!committed.ok) return false;
    const { versionstamp } = committed;
    for (const { key } of mutations) {
      const entry = await engine.get(key);
      if (entry.versionstamp !== null) assertEquals(entry.versionstamp, versionstamp);
    }
    return true;
  };
}

function mutationOf(pool: Pool, keys: readonly Deno.KvKey[]): Deno.KvMutation {
  const { random } = pool;
  const key = random.of(keys);
  const isOfSums = keys === pool.sums;
  const type = random.of(
    isOfSums ? ["set", "delete", "sum", "sum"] as const : ["set", "set", "delete"] as const,
  );
  if (type === "delete") return { type, key };
  const value = isOfSums ? new Deno.KvU64(pool.amount()) : pool.value();
  if (type === "set") return { type, key, value };
  return { type, key, value: value as Deno.KvU64 };
}

/** Beyond the limits. */
function refusals(): readonly Step[] {
  const set = (key: Deno.KvKey, bytes: number) => ({
    type: "set" as const,
    key,
    value: new Uint8Array(bytes),
  });
  const commit =
    (mutations: readonly Deno.KvMutation[], checks: readonly Deno.AtomicCheck[] = []): Step =>
    (engine) => engine.commit({ checks, mutations });
  const many = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, at) => set(["q", at], bytes));
  return [
    commit([set([], 1)]),
    commit([set(["x".repeat(3_000)], 1)]),
    commit([set(["x"], 65_537)]),
    commit(many(1_001, 1)),
    commit(many(14, 65_000)),
    commit([], Array.from({ length: 101 }, (_, at) => ({ key: ["q", at], versionstamp: null }))),
    (engine) => engine.getMany(Array.from({ length: 11 }, (_, at) => ["k", at])),
    (engine) => listed(engine, { start: ["b"], end: ["a"] }, {}),
  ];
}
