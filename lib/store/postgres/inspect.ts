import { ConnectionPool } from "./connection_pool.ts";
import { postgresLocation } from "./location.ts";

/** Facts of a store's server for its operator. */
export interface PostgresFacts {
  /** Such as `15.18`. */
  readonly version: string;
  /** Bytes of the table with its index. */
  readonly bytes: bigint;
  readonly connections: bigint;
  readonly connectionsMax: bigint;
  /** Servers that follow this one. */
  readonly standbys: bigint;
  /** True if a commit waits for a standby, so that a failover loses none. */
  readonly isSynchronous: boolean;
  /** False if a crash of the machine loses commits. */
  readonly isDurable: boolean;
  readonly isEncrypted: boolean;
}

/** Reads the facts of the server at a `postgres://` address; rejects like `PostgresEngine.open`. */
export async function inspectPostgres(url: string, waitMs: number): Promise<PostgresFacts> {
  const location = postgresLocation(url);
  const connections = new ConnectionPool({ ...location, waitMs });
  try {
    const [facts] = await connections.read<PostgresFacts>({
      text: factsSql,
      values: [location.schema],
    });
    return facts;
  } finally {
    connections.close();
  }
}

/** Booleans and numbers of 64 bits arrive as such; the others are cast to them. */
const factsSql = `SELECT current_setting('server_version') AS version,
  coalesce(pg_total_relation_size(to_regclass(quote_ident($1) || '.kv')), 0)::bigint AS bytes,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  current_setting('max_connections')::bigint AS "connectionsMax",
  (SELECT count(*) FROM pg_stat_replication) AS standbys,
  current_setting('synchronous_standby_names') <> '' AND
    current_setting('synchronous_commit') IN ('on', 'remote_apply') AS "isSynchronous",
  current_setting('fsync')::boolean AND current_setting('synchronous_commit') <> 'off' AS "isDurable",
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "isEncrypted"`;
