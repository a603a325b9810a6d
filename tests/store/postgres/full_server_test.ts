import { assert, assertEquals } from "@std/assert";
import { type PostgresServer, startPostgres } from "../../postgres_server.ts";
import { later, until } from "../../waiting.ts";
import { leastUrl, makeLeast, openEngine, testOnPostgres, withEngine } from "./postgres_store.ts";

const schema = "busy";
/** Reads, commits and polls of this time ask at its beginning and once a second. */
const [busyMs, refusalsMax] = [1_600, 9];

testOnPostgres("a server without connections is asked for one once a second", async () => {
  await using server = await startPostgres({ settings });
  const limit = (connections: number) =>
    server.run(`ALTER ROLE least CONNECTION LIMIT ${connections}`);
  await makeLeast(server);
  (await openEngine(server.url(schema))).close();
  await server.run(`GRANT USAGE ON SCHEMA ${schema} TO least; GRANT ALL ON ${schema}.kv TO least`);
  await withEngine(leastUrl(server, schema), async (engine) => {
    const set = { type: "set", key: ["a"], value: new Uint8Array() } as const;
    const commit = () => engine.commit({ checks: [], mutations: [set] });
    await commit();
    assertEquals(await open(server), 2);
    await limit(2);
    const watch = engine.watch([["a"]]).getReader();
    await watch.read();
    let calls = 0;
    for (const endsAt = performance.now() + busyMs; performance.now() < endsAt; calls++) {
      await Promise.all([engine.get(["a"]), engine.get(["b"]), commit(), commit()]);
      await later(5);
    }
    const refusals = await refusalsOf(server);
    console.log(`  ${calls * 4} reads and commits: ${refusals} refused connections`);
    assert(calls > 20 && refusals > 0 && refusals <= refusalsMax, `${refusals} of ${calls}`);
    await limit(-1);
    await until(
      async () => {
        await Promise.all([engine.get(["a"]), engine.get(["b"]), commit(), commit()]);
        return await open(server) >= 4; // the second for reads and for commits, and its notifications
      },
      "it does not open the other connections",
      4_000,
    );
    await watch.cancel();
  });
});

const settings = { fsync: "off", logging_collector: "on", log_directory: "log" };

/** Counts the gateway's connections. */
async function open(server: PostgresServer): Promise<number> {
  const sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'least'";
  return Number(await server.run(sql));
}

/** Counts the connections that the server refused, in its log. */
async function refusalsOf(server: PostgresServer): Promise<number> {
  const folder = `${server.folder}/data/log`;
  const files = [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`);
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
  return texts.join("").split("too many connections for role").length - 1;
}
