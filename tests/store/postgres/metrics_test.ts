import { assertEquals } from "@std/assert";
import { StoreHealth } from "../../../lib/store/file/store_health.ts";
import { PostgresEngine, postgresLocation } from "../../../lib/store/postgres/mod.ts";
import { Metrics } from "../../../lib/telemetry/mod.ts";
import { startPostgres } from "../../postgres_server.ts";
import { testOnPostgres } from "./postgres_store.ts";

testOnPostgres(
  "metrics count the commits that run, and those that wait for a connection",
  async () => {
    await using server = await startPostgres({ settings: { fsync: "off" } });
    const location = postgresLocation(server.url("counted", { pool: "2" }));
    const health = new StoreHealth(location.where);
    const engine = await PostgresEngine.open({ location, health, waitMs: 4_000 });
    const metrics = new Metrics();
    metrics.watchStore(health);
    const counts = async () =>
      (await metrics.text()).split("\n").filter((line) =>
        line.startsWith("tessera_store_commits{")
      );
    const mutations = [{ type: "set", key: ["a"], value: Uint8Array.of(1) }] as const;
    const commits = Array.from({ length: 20 }, () => engine.commit({ checks: [], mutations }));
    const during = await counts();
    await Promise.all(commits);
    assertEquals(during, [
      'tessera_store_commits{state="running"} 2',
      'tessera_store_commits{state="waiting"} 18',
      'tessera_store_commits{state="repeated"} 0',
    ]);
    assertEquals(await counts(), [
      'tessera_store_commits{state="running"} 0',
      'tessera_store_commits{state="waiting"} 0',
      'tessera_store_commits{state="repeated"} 0',
    ]);
    const another = PostgresEngine.reopen({ location, health, waitMs: 4_000 });
    engine.close();
    assertEquals((await counts()).length, 3); // of the other one
    another.close();
    assertEquals(await counts(), []);
  },
);
