import { assertEquals } from "@std/assert";
import type { PostgresEngine } from "../../../lib/store/postgres/mod.ts";
import { startPostgres } from "../../postgres_server.ts";
import { later } from "../../waiting.ts";
import { testOnPostgres, withEngine } from "./postgres_store.ts";

/** `KILLS=50` kills the server so often. */
const kills = Number(Deno.env.get("KILLS") ?? 4);
const writers = 6;

/** The commits of one writer, by the numbers of their rows. */
interface Written {
  readonly acknowledged: Set<number>;
  readonly unknown: Set<number>;
}

testOnPostgres(
  `every acknowledged commit is there after ${kills} kills of the server`,
  async () => {
    await using server = await startPostgres();
    await withEngine(server.url(), async (engine) => {
      const ending = new AbortController();
      const writing = Array.from(
        { length: writers },
        (_, at) => write(engine, `w${at}`, ending.signal),
      );
      for (let number = 0; number < kills; number++) {
        await later(500 + Math.random() * 1_000);
        await (number % 2 === 0 ? server.stop("immediate") : server.kill());
        await later(Math.random() * 300);
        await server.start();
      }
      await later(1_000);
      ending.abort();
      const written = await Promise.all(writing);
      await assertAllThere(engine, written);
    });
  },
);

async function write(engine: PostgresEngine, name: string, ending: AbortSignal): Promise<Written> {
  const written: Written = { acknowledged: new Set(), unknown: new Set() };
  for (let number = 0; !ending.aborted; number++) {
    const key = [name, number];
    const checks = [{ key, versionstamp: null }];
    const value = new Uint8Array(300);
    const total = { type: "sum" as const, key: ["total"], value: new Deno.KvU64(1n) };
    try {
      await engine.commit({ checks, mutations: [{ type: "set", key, value }, total] });
      written.acknowledged.add(number);
    } catch {
      written.unknown.add(number);
      await later(20);
    }
  }
  return written;
}

async function assertAllThere(engine: PostgresEngine, written: readonly Written[]): Promise<void> {
  let [rows, acknowledged, applied, lost] = [0, 0, 0, 0];
  for (const [at, writer] of written.entries()) {
    const listed = await Array.fromAsync(engine.list({ prefix: [`w${at}`] }, { batchSize: 500 }));
    const found = new Set(listed.map(({ key }) => Number(key[1])));
    rows += found.size;
    acknowledged += writer.acknowledged.size;
    lost += writer.acknowledged.difference(found).size;
    applied += writer.unknown.intersection(found).size;
  }
  console.log(
    `  ${acknowledged} acknowledged, ${lost} lost, ${applied} of unknown outcome were applied`,
  );
  assertEquals(lost, 0);
  assertEquals(rows, acknowledged + applied);
  const { value } = await engine.get(["total"]);
  assertEquals((value as Deno.KvU64).value, BigInt(rows));
}
