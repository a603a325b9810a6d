import { StoreHealth } from "../../../lib/store/file/store_health.ts";
import { PostgresEngine, postgresLocation } from "../../../lib/store/postgres/mod.ts";
import { postgresPrograms } from "../../postgres_server.ts";

/** Registers a test that needs PostgreSQL. */
export function testOnPostgres(name: string, run: () => Promise<void>): void {
  Deno.test({ name, ignore: postgresPrograms === undefined, fn: run });
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
