import { assert, assertEquals } from "@std/assert";
import { allRows } from "../../../lib/audit/mod.ts";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../postgres_server.ts";
import { later, until } from "../../waiting.ts";
import { withStoreFolder } from "../money/place.ts";
import { locationOf } from "../money/shared_store.ts";
import { startBlackHole } from "./black_hole.ts";
import {
  assertAudited,
  call,
  type Got,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";

const callers = 8;

Deno.test({
  name: "a promoted standby with synchronous replication has every answered call",
  ignore: postgresPrograms === undefined,
  fn: () =>
    withStoreFolder(async () => {
      await using primary = await startPostgres();
      await using standby = await startPostgres({ follows: primary });
      await waitForStandby(primary);
      await using address = startBlackHole(primary.url("failing"));
      await using upstream = startGatedUpstream();
      upstream.open();
      const servers = [
        await startOnStore(address.url, upstream),
        await startOnStore(address.url, upstream),
      ];
      const ending = new AbortController();
      const calling = Array.from({ length: callers }, (_, caller) =>
        callOn(servers[caller % 2], caller, ending.signal));
      await later(4_000);

      await primary.kill();
      const killedAt = performance.now();
      assertEquals(await standby.run("SELECT pg_promote()"), "t");
      address.moveTo(standby.port);
      for (const server of servers) {
        await untilReadiness(server, 200, 15_000);
      }
      console.log(
        `  ready ${Math.round(performance.now() - killedAt)} ms after the primary was killed`,
      );
      await later(2_000);
      ending.abort();
      const got = (await Promise.all(calling)).flat();
      for (const server of servers) {
        assertEquals(await server.stop(), 0, server.said());
      }

      const url = standby.url("failing");
      const completed = await completedIds(url);
      const answered = got.filter(({ status, code }) =>
        status === 200 && code === undefined
      );
      const missing = answered.filter(({ id }) => !completed.has(id));
      console.log(
        `  ${answered.length} of ${got.length} calls answered, ${missing.length} missing`,
      );
      assertEquals(missing, []);
      assert(answered.length > 50, `${answered.length} answered`);
      for (const { code, text } of got.filter((one) => !answered.includes(one))) {
        assertEquals(code, "store_unavailable", text);
      }
      assertAudited(await runOn(url, "tools/audit.ts"));
    }),
});

/** From then on, each commit waits for the standby. */
async function waitForStandby(primary: PostgresServer): Promise<void> {
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.run("SELECT pg_reload_conf()");
  const isSynchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until(async () => await primary.run(isSynchronous) === "1", "no standby follows", 20_000);
}

async function callOn(
  server: Parameters<typeof call>[0],
  caller: number,
  ending: AbortSignal,
): Promise<Got[]> {
  const got: Got[] = [];
  for (let round = caller; !ending.aborted; round++) {
    got.push(
      await call(server, formatNames[round % formatNames.length], round % 3 > 0, undefined, {
        bytes: 2_000,
      }),
    );
    if (got.at(-1)?.status === 503) await later(100);
  }
  return got;
}

async function completedIds(url: string): Promise<ReadonlySet<string>> {
  const store = await openStore({ location: locationOf(url), secret: "a secret of this test" });
  const ids = new Set<string>();
  for await (const { id, outcome } of allRows(store)) if (outcome === "completed") ids.add(id);
  store.close();
  return ids;
}
