import type { Engine } from "../../../lib/store/kv/engine.ts";
import { openEngine } from "./postgres_store.ts";

/** The commits of one process on the shared keys. */
export interface Done {
  readonly counters: [number, number, number];
  sums: number;
  moved: number;
  unique: number;
  guarded: number;
  large: number;
  conflicts: number;
}

export const [accounts, guards] = [8, 400];

export function numberIn(value: unknown): number {
  return value === null ? 0 : Number(new TextDecoder().decode(value as Uint8Array));
}

function bytesOf(number: number): Uint8Array {
  return new TextEncoder().encode(`${number}`);
}

function below(most: number): number {
  return Math.floor(Math.random() * most);
}

const set = (key: Deno.KvKey, number: number) => ({
  type: "set" as const,
  key,
  value: bytesOf(number),
});
const sum = (key: Deno.KvKey, amount: number) => ({
  type: "sum" as const,
  key,
  value: new Deno.KvU64(BigInt(amount)),
});

type Work = (engine: Engine, done: Done) => Promise<void>;

const works: readonly Work[] = [
  async function count(engine, done) {
    const at = below(3);
    const entry = await engine.get(["counter", at]);
    const mutations = [set(entry.key, numberIn(entry.value) + 1)];
    if ((await engine.commit({ checks: [entry], mutations })).ok) done.counters[at]++;
    else done.conflicts++;
  },
  async function addInEitherOrder(engine, done) {
    const amount = 1 + below(100);
    const mutations = [sum(["sum", "x"], amount), sum(["sum", "y"], amount)];
    if (Math.random() < 0.5) mutations.reverse();
    await engine.commit({ checks: [], mutations });
    done.sums += amount;
  },
  async function move(engine, done) {
    const [from, to] = await engine.getMany([["account", below(4)], ["account", 4 + below(4)]]);
    const amount = 1 + below(5);
    const mutations = [
      set(from.key, numberIn(from.value) - amount),
      set(to.key, numberIn(to.value) + amount),
    ];
    if (Math.random() < 0.5) mutations.reverse();
    if ((await engine.commit({ checks: [from, to], mutations })).ok) done.moved++;
    else done.conflicts++;
  },
  async function insertOnce(engine, done) {
    const key = ["unique", below(guards)];
    const checks = [{ key, versionstamp: null }];
    if ((await engine.commit({ checks, mutations: [set(key, 1)] })).ok) done.unique++;
  },
  /** Sets one of two keys while the other is absent: a check that is not locked would let both through. */
  async function guard(engine, done) {
    const number = below(guards);
    const sides: Deno.KvKey[] = [["guard", number, "left"], ["guard", number, "right"]];
    if (Math.random() < 0.5) sides.reverse();
    const checks = sides.map((key) => ({ key, versionstamp: null }));
    if ((await engine.commit({ checks, mutations: [set(sides[0], 1)] })).ok) done.guarded++;
  },
  async function commitLarge(engine, done) {
    const mutations = Array.from({ length: 200 }, (_, at) => set(["many", at], 1));
    await engine.commit({ checks: [], mutations: [sum(["large"], 1), ...mutations] });
    done.large++;
    await new Promise((resolve) => setTimeout(resolve, 200));
  },
];

if (import.meta.main) {
  const [url, seconds] = Deno.args;
  const engine = await openEngine(url, 20_000);
  const done: Done = {
    counters: [0, 0, 0],
    sums: 0,
    moved: 0,
    unique: 0,
    guarded: 0,
    large: 0,
    conflicts: 0,
  };
  const endsAt = Date.now() + Number(seconds) * 1_000;
  await Promise.all(works.map(async (work) => {
    while (Date.now() < endsAt) await work(engine, done);
  }));
  engine.close();
  console.log(JSON.stringify(done));
}
