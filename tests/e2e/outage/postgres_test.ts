import { assert, assertEquals } from "@std/assert";
import type { StoreFault } from "../../../lib/store/file/store_fault.ts";
import { type DatabaseClient, newClient } from "../../../lib/store/postgres/driver.ts";
import { postgresLocation } from "../../../lib/store/postgres/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../postgres_server.ts";
import { later, until } from "../../waiting.ts";
import type { ServerProcess } from "../server_process.ts";
import { locationOf } from "../money/shared_store.ts";
import { type BlackHole, startBlackHole } from "./black_hole.ts";
import { assertAccounted, callAgain } from "./load.ts";
import {
  assertAdvice,
  assertAudited,
  assertRefused,
  call,
  readiness,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";
import { mountSmallDisk, type SmallDisk } from "./small_disk.ts";

/**
 * A gateway under load whose PostgreSQL cannot record calls for a while. TESSERA_OUTAGE_MS says for
 * how long, and runs the slow outages, too.
 */
const asked = Deno.env.get("TESSERA_OUTAGE_MS");
const outageMs = Number(asked ?? 500);
if (asked === undefined) {
  console.log("PostgreSQL's slow outages are not tried: TESSERA_OUTAGE_MS=8000 tries them");
}
const callers = 8;
const schema = "outage";
/** The bound of the documents, and time for the machine of the test. */
const [callMsMax, slackMs] = [5_000, 1_500];

interface Place {
  readonly server: PostgresServer;
  readonly address: BlackHole;
  readonly disk: SmallDisk | undefined;
}

interface Outage {
  readonly name: string;
  /** The fault that `/readyz` names; undefined if it depends on the moment. */
  readonly fault: StoreFault | undefined;
  readonly settings?: Readonly<Record<string, number>>;
  /** The part that is stored on a disk of a few megabytes. */
  readonly small?: "table" | "log";
  readonly isSlow?: boolean;
  /** Returns the end of the outage. */
  readonly begin: (place: Place) => Promise<() => void | Promise<void>>;
}

const outages: readonly Outage[] = [
  {
    name: "with a full disk",
    fault: "full",
    small: "table",
    begin: async ({ disk }) => {
      await disk?.fill();
      return () => disk?.free();
    },
  },
  {
    name: "that ends because the disk of its log is full",
    fault: "silent",
    small: "log",
    isSlow: true,
    begin: async ({ server, disk }) => {
      await disk?.fill();
      const much = "pg_logical_emit_message(true, 'x', repeat('x', 900000))";
      await server.run(`SELECT ${much} FROM generate_series(1, 30)`).catch(() => {}); // it ends
      return async () => {
        await disk?.free();
        await server.stop("immediate");
        await server.start();
      };
    },
  },
  {
    name: "without a free connection",
    fault: "no_connection",
    settings: { max_connections: 14 },
    begin: async ({ server }) => {
      const held = await holdConnections(server);
      return async () => {
        for (const client of held) await client.end();
      };
    },
  },
  ...[500, 2_000, 10_000].map((ms): Outage => ({
    name: `that answers after ${ms} ms`,
    fault: ms > 4_000 ? "silent" : undefined,
    isSlow: true,
    begin: ({ address }) => {
      address.delay(ms);
      return Promise.resolve(() => address.delay(0));
    },
  })),
  {
    name: "with a table that another session locks",
    fault: "silent",
    isSlow: true,
    begin: async ({ server }) => {
      const [client] = await connect(server, 1);
      await client.query({ text: `BEGIN; LOCK TABLE ${schema}.kv` });
      return () => client.end();
    },
  },
  {
    name: "that permits no writes",
    fault: "standby",
    begin: async ({ server }) => {
      await server.run("ALTER SYSTEM SET default_transaction_read_only = on");
      await server.run("SELECT pg_reload_conf()");
      return async () => {
        await server.run("ALTER SYSTEM RESET default_transaction_read_only");
        await server.run("SELECT pg_reload_conf()");
      };
    },
  },
  {
    name: "that becomes a standby",
    fault: "standby",
    begin: async ({ server }) => {
      await server.stop("fast");
      await Deno.writeTextFile(`${server.folder}/data/standby.signal`, "");
      await server.start();
      return async () => assertEquals(await server.run("SELECT pg_promote()"), "t");
    },
  },
  {
    name: "that takes the role's rights away",
    fault: "denied",
    begin: async ({ server }) => {
      await server.run(`REVOKE ALL ON ${schema}.kv FROM gateway`);
      return async () => void await server.run(grant);
    },
  },
  {
    name: "with a schema that is dropped, and restored from a dump",
    fault: "missing",
    begin: async ({ server }) => {
      const dump = `${server.folder}/dump.sql`;
      await server.tool("pg_dump", ["-n", schema, "-f", dump]);
      await server.run(`DROP SCHEMA ${schema} CASCADE`);
      return async () => void await server.tool("psql", ["-qX", "-f", dump]);
    },
  },
];

const grant =
  `GRANT USAGE ON SCHEMA ${schema} TO gateway; GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.kv TO gateway`;

for (const outage of outages) {
  Deno.test({
    name: `PostgreSQL ${outage.name}: calls are refused in time, and all is booked afterwards`,
    ignore: postgresPrograms === undefined || (outage.isSlow && asked === undefined),
    fn: () => runOutage(outage),
  });
}

Deno.test({
  name: "a start on PostgreSQL without a free connection ends with one line and exit code 1",
  ignore: postgresPrograms === undefined,
  fn: async () => {
    await using place = await startPlace({ settings: { max_connections: 8 } });
    if (!place) return;
    const held = await holdConnections(place.server);
    const url = place.server.url(schema);
    for (const script of ["main.ts", "tools/audit.ts"] as const) {
      const words = /no connection left\. Raise `max_connections`/;
      assertAdvice(await runOn(url, script), postgresLocation(url).where, words);
    }
    for (const client of held) await client.end();
    assertAudited(await runOn(url, "tools/audit.ts"));
  },
});

async function runOutage({ name, fault, begin, ...conditions }: Outage): Promise<void> {
  await using place = await startPlace(conditions);
  if (!place) return;
  const { server, address } = place;
  await using upstream = startGatedUpstream();
  const gateway = await startOnStore(address.url, upstream);
  const load = callAgain(gateway, callers);
  upstream.open();
  await later(1_000);
  upstream.shut();
  await later(300); // all callers have a call in flight
  const end = await begin(place);
  const begunAt = performance.now();
  upstream.open();
  if (fault !== undefined) {
    const refusedMs = await untilReadiness(gateway, 503, callMsMax + slackMs);
    await untilFault(gateway, fault);
    const refused = await assertRefused(gateway, upstream);
    const slowest = Math.max(...refused.map(({ ms }) => ms));
    console.log(`  ${name}: /readyz 503 after ${refusedMs} ms, refused within ${slowest} ms`);
  }
  await later(Math.max(0, outageMs - (performance.now() - begunAt)));
  await end();
  const readyMs = await untilReadiness(gateway, 200, 12_000);
  assertEquals((await call(gateway, "messages", false)).status, 200, gateway.said());
  await later(500);
  const got = await load.end();
  assertEquals(await gateway.stop(), 0, gateway.said());
  const slowest = Math.max(...got.map(({ ms }) => ms));
  console.log(`  ready ${readyMs} ms afterwards; the slowest call took ${slowest} ms`);
  assert(slowest < callMsMax + slackMs, `${slowest} ms`);
  const { answered } = await assertAccounted(server.url(schema), got);
  assert(answered > callers, `${answered} answered`);
  assertAudited(await runOn(server.url(schema), "tools/audit.ts"));
}

/** `/readyz` may say that the store is silent before the gateway gives it up. */
async function untilFault(gateway: ServerProcess, fault: StoreFault): Promise<void> {
  const isLogged = () => gateway.said().includes(`"fault":"${fault}"`);
  await until(isLogged, `it is not ${fault}`, callMsMax + slackMs);
  const { body } = await readiness(gateway);
  assertEquals(body?.fault, fault, gateway.said());
}

/** A server whose role `gateway` owns nothing; undefined where no small disk can be mounted. */
async function startPlace({ settings, small }: Partial<Outage>) {
  const stack = new AsyncDisposableStack();
  const disk = small && await mountSmallDisk(small === "log" ? 16 : 64);
  if (small && !disk) return undefined;
  if (disk) stack.use(disk);
  const server = stack.use(
    await startPostgres({
      settings: { ...settings, ...(small === "log" && { max_wal_size: 4, min_wal_size: 2 }) },
      ...(small === "log" && { walFolder: `${disk?.path}/wal` }),
    }),
  );
  if (small === "table") await moveTable(server, `${disk?.path}/table`);
  const url = server.url(schema);
  (await openStore({ location: locationOf(url), secret: "a secret of this test" })).close();
  await server.run(`CREATE ROLE gateway LOGIN PASSWORD 'gateway'; ${grant}`);
  const address = stack.use(startBlackHole(url.replace(/\/\/[^@]+@/, "//gateway:gateway@")));
  return Object.assign(stack, { server, address, disk });
}

async function moveTable(server: PostgresServer, folder: string): Promise<void> {
  await server.run(`COPY (SELECT 1) TO PROGRAM 'mkdir ${folder}'`);
  await server.run(`CREATE TABLESPACE small LOCATION '${folder}'`);
  await server.run("ALTER DATABASE tessera SET default_tablespace = small");
}

async function connect(server: PostgresServer, count: number): Promise<DatabaseClient[]> {
  const { client: options } = postgresLocation(server.url(schema));
  const clients: DatabaseClient[] = [];
  while (clients.length < count) {
    const client = newClient({ ...options, connectionTimeoutMillis: 4_000 });
    client.on("error", () => {});
    try {
      await client.connect();
    } catch {
      return clients; // there are no more
    }
    await client.query({ text: "SET application_name = 'other'" });
    clients.push(client);
  }
  return clients;
}

/** Takes every connection that is free, and those of the gateway. */
async function holdConnections(server: PostgresServer): Promise<readonly DatabaseClient[]> {
  const held = await connect(server, Infinity);
  const terminated =
    "SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity WHERE application_name = 'tessera'";
  for (;;) {
    const { rows: [{ n }] } = await held[0].query<{ n: bigint }>({ text: terminated });
    if (n === 0n) return held;
    held.push(...await connect(server, Infinity));
  }
}
