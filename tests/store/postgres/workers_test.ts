import { assert, assertEquals } from "@std/assert";
import { startPostgres } from "../../postgres_server.ts";
import { openEngine, testOnPostgres, withEngine } from "./postgres_store.ts";
import { accounts, type Done, guards, numberIn } from "./worker.ts";

const workers = 16;
const seconds = Number(Deno.env.get("WORKER_SECONDS") ?? 4);

testOnPostgres(`${workers} processes lose no update of shared keys`, async () => {
  await using server = await startPostgres({ settings: { max_connections: 150 } });
  const url = server.url("shared", { pool: "3" });
  (await openEngine(url)).close();
  const results = await work(url);
  const sum = (count: (done: Done) => number) =>
    results.reduce((total, done) => total + count(done), 0);
  await withEngine(url, async (engine) => {
    for (const at of [0, 1, 2]) {
      assertEquals(
        numberIn((await engine.get(["counter", at])).value),
        sum(({ counters }) => counters[at]),
      );
    }
    for (const key of ["x", "y"]) {
      const { value } = await engine.get(["sum", key]);
      assertEquals((value as Deno.KvU64).value, BigInt(sum(({ sums }) => sums)), key);
    }
    const balances = await Array.fromAsync(engine.list({ prefix: ["account"] }));
    assertEquals(balances.reduce((total, { value }) => total + numberIn(value), 0), 0);
    assertEquals(balances.length, accounts);
    const unique = await Array.fromAsync(engine.list({ prefix: ["unique"] }));
    assertEquals(unique.length, sum(({ unique }) => unique));
    const sides = (await Array.fromAsync(engine.list({ prefix: ["guard"] }))).map(({ key }) =>
      key[1]
    );
    assertEquals(sides.length, sum(({ guarded }) => guarded));
    assertEquals(new Set(sides).size, sides.length, "one of two keys at most");
    assert(sides.length <= guards);
    const { value } = await engine.get(["large"]);
    assertEquals((value as Deno.KvU64).value, BigInt(sum(({ large }) => large)));
  });
  assertEquals(
    await server.run("SELECT deadlocks FROM pg_stat_database WHERE datname = 'tessera'"),
    "0",
  );
  const total = sum(({ sums, counters }) => counters[0] + counters[1] + counters[2] + sums);
  console.log(`  ${total} updates, ${sum(({ conflicts }) => conflicts)} conflicts, 0 lost`);
});

function work(url: string): Promise<Done[]> {
  return Promise.all(Array.from({ length: workers }, async () => {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--node-modules-dir=manual",
        "--config",
        "tests/deno.json",
        new URL("worker.ts", import.meta.url).pathname,
        url,
        `${seconds}`,
      ],
      stderr: "inherit",
    }).output();
    assert(success);
    return JSON.parse(new TextDecoder().decode(stdout));
  }));
}
