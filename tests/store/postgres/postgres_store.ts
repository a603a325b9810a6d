import { assert, assertEquals } from "@std/assert";
import { StoreHealth } from "../../../lib/store/file/store_health.ts";
import { PostgresEngine, postgresLocation } from "../../../lib/store/postgres/mod.ts";
import { pgbouncerPath, startPgbouncer } from "../../pgbouncer.ts";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../postgres_server.ts";

/** Registers a test that needs PostgreSQL. */
export function testOnPostgres(name: string, run: () => Promise<void>): void {
  Deno.test({ name, ignore: postgresPrograms === undefined, fn: run });
}

/** Registers a test that needs PgBouncer, too. */
export function testThroughPgbouncer(name: string, run: () => Promise<void>): void {
  const ignore = postgresPrograms === undefined || pgbouncerPath === undefined;
  Deno.test({ name, ignore, fn: run });
}

/**
 * Starts two servers for the tests of a file, one of them with PgBouncer before it. Returns the
 * function that registers a test for both.
 */
export function withServers(settings: Readonly<Record<string, string | number>>) {
  const servers = new AsyncDisposableStack();
  let [direct, pooled]: PostgresServer[] = [];
  Deno.test.beforeAll(async () => {
    if (postgresPrograms === undefined) return;
    direct = servers.use(await startPostgres({ settings }));
    if (pgbouncerPath === undefined) return;
    pooled = servers.use(await startPgbouncer(servers.use(await startPostgres({ settings }))));
  });
  Deno.test.afterAll(() => servers.disposeAsync());
  return (name: string, run: (server: PostgresServer, isPooled: boolean) => Promise<void>) => {
    testOnPostgres(name, () => run(direct, false));
    testThroughPgbouncer(`${name}, through PgBouncer`, () => run(pooled, true));
  };
}

export function openEngine(url: string, waitMs = 4_000): Promise<PostgresEngine> {
  const location = postgresLocation(url);
  return PostgresEngine.open({ location, health: new StoreHealth(location.where), waitMs });
}

export async function withEngine(
  url: string,
  run: (engine: PostgresEngine) => Promise<void>,
): Promise<void> {
  const engine = await openEngine(url);
  try {
    await run(engine);
  } finally {
    engine.close();
  }
}

/** Asserts that a refusal is one line, without the password of the tests. */
export function assertOneLine(text: string, says: RegExp): void {
  assert(says.test(text), text);
  assertEquals(text.split("\n").length, 1);
  assert(!/a password|a%20password/.test(text), text);
}

/** The address of a role that may only connect. */
export function leastUrl(
  server: PostgresServer,
  schema: string,
  more: Record<string, string> = {},
): string {
  return server.url(schema, more).replace(/\/\/[^@]+@/, "//least:least@");
}

/** Creates that role. */
export async function makeLeast(server: PostgresServer): Promise<void> {
  const make = "CREATE ROLE least LOGIN PASSWORD 'least'";
  await server.run(`DO $$ BEGIN ${make}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
}
