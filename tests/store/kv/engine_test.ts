import { assertEquals, assertRejects } from "@std/assert";
import { Database } from "../../../lib/store/kv/database.ts";
import { DenoEngine } from "../../../lib/store/kv/engine.ts";
import { StoreHealth } from "../../../lib/store/mod.ts";

/** Faults of Deno KV (2.8.2) that no caller may meet. */

async function withEngine(run: (engine: DenoEngine) => Promise<void>): Promise<void> {
  const engine = new DenoEngine(await Deno.openKv(":memory:"));
  try {
    await run(engine);
  } finally {
    engine.close();
  }
}

const set = (...key: string[]) => ({ type: "set" as const, key, value: Uint8Array.of(1) });
const sum = (...key: string[]) => ({ type: "sum" as const, key, value: new Deno.KvU64(1n) });

Deno.test("a commit whose sum fails keeps none of its changes", () =>
  withEngine(async (engine) => {
    await engine.commit({ checks: [], mutations: [set("text")] });
    const failing = { checks: [], mutations: [set("before"), sum("sum"), sum("text")] };
    await assertRejects(() => engine.commit(failing), TypeError, "non-U64");
    for (const key of ["before", "sum"]) assertEquals((await engine.get([key])).value, null);
  }));

for (const batchSize of [1, 2, 3, 4]) {
  for (const reverse of [false, true]) {
    for (const limit of [undefined, 1, 2, 3]) {
      Deno.test(`a list whose end begins with its start: batches of ${batchSize}, ${reverse ? "down" : "up"}, limit ${limit}`, () =>
        withEngine(async (engine) => {
          const keys = [["a"], ["a", "1"], ["a", "2"]];
          await engine.commit({ checks: [], mutations: keys.map((key) => set(...key)) });
          const selector = { start: ["a"], end: ["a", "3"] };
          const listed: Deno.KvKey[] = [];
          for await (
            const { key } of engine.list(selector, { batchSize, reverse, ...(limit && { limit }) })
          ) {
            if (listed.push(key) > 9) break;
          }
          const expected = reverse ? keys.toReversed() : keys;
          assertEquals(listed, expected.slice(0, limit));
        }));
    }
  }
}

Deno.test("an entry with an endless lifetime stays, and does not end the process", () =>
  withEngine(async (engine) => {
    const database = new Database(engine, new StoreHealth("in memory"));
    await database.set(["a"], 1, { expireIn: 1e20 });
    assertEquals((await database.get(["a"])).value, 1);
  }));
