import { StoreError } from "../kv/error.ts";
import { hashOf } from "./changes.ts";
import type { ConnectionPool } from "./connection_pool.ts";
import { sqlState } from "./driver.ts";

/** To be raised with each change of the function: releases that differ may share a database. */
export const commitFunction = "commit_1";

interface Server {
  readonly version: string;
  readonly standby: boolean;
  readonly table: boolean;
  readonly columns: string | null;
  readonly function: boolean;
  /** Null without a table. */
  readonly mayWrite: boolean | null;
}

const columns = "expires_at timestamptz,key bytea,n numeric,value bytea,version int8";

/**
 * Creates the table and its functions if they are missing. Throws `StoreError` for a server, a schema
 * or a role that cannot hold a store.
 */
export async function prepareSchema(
  connections: ConnectionPool,
  { schema, where, mayCreate }: {
    readonly schema: string;
    readonly where: string;
    readonly mayCreate: boolean;
  },
): Promise<void> {
  const [server] = await connections.read<Server>({
    text: serverSql,
    values: [schema, commitFunction],
  });
  const fault = faultOf(server, schema);
  if (fault) throw refused(where, fault);
  if (server.function && server.table) return;
  if (!mayCreate) {
    throw new StoreError("not_found", `Cannot open the store ${where}: the first start creates it`);
  }
  try {
    await connections.commit({ text: schemaSql(schema) });
  } catch (cause) {
    if (sqlState(cause) !== "42501") throw cause;
    const remedy = `start once as a role that may create the schema ${schema}`;
    throw refused(where, `its role may not create the table: ${remedy}`, cause);
  }
}

const serverSql = `SELECT version() AS version, pg_is_in_recovery() AS standby,
  to_regclass(quote_ident($1) || '.kv') IS NOT NULL AS "table",
  (SELECT string_agg(a.attname || ' ' || t.typname, ',' ORDER BY a.attname) FROM pg_attribute a
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE a.attrelid = to_regclass(quote_ident($1) || '.kv') AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  EXISTS (SELECT FROM pg_proc p JOIN pg_namespace s ON s.oid = p.pronamespace
    WHERE s.nspname = $1 AND p.proname = $2) AS function,
  (SELECT bool_and(has_table_privilege(to_regclass(quote_ident($1) || '.kv'), privilege))
    FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege) AS "mayWrite"`;

function faultOf({ version, standby, table, columns: found, mayWrite }: Server, schema: string) {
  const [, major] = /^PostgreSQL (\d+)(?:\.\d+|beta\d+|rc\d+|devel)?(?: |$)/.exec(version) ?? [];
  if (major === undefined || Number(major) < 13) {
    return `it needs PostgreSQL 13 or newer, and the server is ${version.slice(0, 60)}`;
  }
  if (standby) return "its server is a read-only standby: TESSERA_KV must name the primary";
  if (!table) return undefined;
  if (found !== columns) {
    return `the table ${schema}.kv is not the gateway's: name another schema by ?schema=`;
  }
  if (mayWrite) return undefined;
  return `its role may not use the table: GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.kv`;
}

function refused(where: string, what: string, cause?: unknown): StoreError {
  return new StoreError("unreadable", `Cannot open the store ${where}: ${what}`, { cause });
}

/** The number of this schema's locks, part of the protocol between the processes of a store. */
function lockSpace(schema: string): number {
  return hashOf(new TextEncoder().encode(`${schema}.${commitFunction}`));
}

/**
 * Can be run again. The function takes the locks of all keys in one order, then checks, then
 * changes: each of its statements sees what the holders of these locks committed before.
 */
function schemaSql(schema: string): string {
  const lock = lockSpace(schema);
  const table = `"${schema}".kv`;
  return `
BEGIN;
SELECT pg_advisory_xact_lock(${lock}, 0);
SELECT FROM pg_namespace LIMIT 0; -- a used connection would miss what the lock's last holder created
CREATE SCHEMA IF NOT EXISTS "${schema}";
CREATE TABLE IF NOT EXISTS ${table} (
  key bytea PRIMARY KEY,
  value bytea,             -- null for a sum
  n numeric(20, 0),        -- a sum; null for bytes
  version bigint NOT NULL, -- microseconds since 1970, raised above the key's former version
  expires_at timestamptz
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
CREATE INDEX IF NOT EXISTS kv_expires_at ON ${table} (expires_at) WHERE expires_at IS NOT NULL;
CREATE OR REPLACE FUNCTION "${schema}".${commitFunction}(
  locks int[], check_keys bytea[], check_versions bigint[], delete_keys bytea[],
  set_keys bytea[], set_values bytea[], set_numbers bigint[], set_lifetimes bigint[],
  sum_keys bytea[], sum_types int[], sum_numbers bigint[], notice text
) RETURNS bigint LANGUAGE plpgsql VOLATILE
  SET enable_seqscan = off -- a plan made while the table is small would scan it for ever
  SET lock_timeout = '4s'
  AS $body$
DECLARE
  moment timestamptz;
  stamp bigint;
BEGIN
  IF cardinality(locks) = 0 THEN
    PERFORM pg_advisory_xact_lock(${lock} + 1, 0); -- a large commit excludes all others
  ELSE
    PERFORM pg_advisory_xact_lock_shared(${lock} + 1, 0);
    PERFORM CASE WHEN l & 1 = 1 THEN pg_advisory_xact_lock(${lock}, l >> 1)
      ELSE pg_advisory_xact_lock_shared(${lock}, l >> 1) END FROM unnest(locks) AS l;
  END IF;
  moment := clock_timestamp();
  IF cardinality(check_keys) > 0 AND EXISTS (
    SELECT FROM unnest(check_keys, check_versions) AS c (k, v) WHERE c.v IS DISTINCT FROM
      (SELECT t.version FROM ${table} AS t
        WHERE t.key = c.k AND (t.expires_at IS NULL OR t.expires_at > moment) LIMIT 1)
  ) THEN RETURN NULL; END IF;
  SELECT greatest((extract(epoch FROM moment) * 1000000)::bigint, max(t.version) + 1) INTO stamp
    FROM ${table} AS t WHERE t.key = ANY (set_keys || sum_keys);
  IF cardinality(delete_keys) > 0 THEN DELETE FROM ${table} WHERE key = ANY (delete_keys); END IF;
  IF cardinality(set_keys) > 0 THEN
    INSERT INTO ${table} AS t (key, value, n, version, expires_at)
      SELECT k, v, CASE WHEN v IS NULL THEN u + CASE WHEN u < 0 THEN 18446744073709551616 ELSE 0 END END,
        stamp, moment + e * interval '1 millisecond'
      FROM unnest(set_keys, set_values, set_numbers, set_lifetimes) AS m (k, v, u, e)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, n = excluded.n,
        version = excluded.version, expires_at = excluded.expires_at;
  END IF;
  IF cardinality(sum_keys) > 0 THEN
    IF EXISTS (SELECT FROM ${table} AS t WHERE t.key = ANY (sum_keys) AND t.n IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > moment)
    ) THEN RAISE EXCEPTION 'not a sum' USING ERRCODE = 'TS001'; END IF;
    INSERT INTO ${table} AS t (key, n, version)
      SELECT k, u + CASE WHEN u < 0 THEN 18446744073709551616 ELSE 0 END, stamp
      FROM unnest(sum_keys, sum_numbers) AS m (k, u)
      ON CONFLICT (key) DO UPDATE SET value = NULL, version = excluded.version, expires_at = NULL,
        n = CASE WHEN t.expires_at <= moment THEN excluded.n ELSE
          CASE (SELECT o.type FROM unnest(sum_keys, sum_types) AS o (k, type) WHERE o.k = t.key)
            WHEN 0 THEN mod(t.n + excluded.n, 18446744073709551616)
            WHEN 1 THEN least(t.n, excluded.n) ELSE greatest(t.n, excluded.n) END END;
  END IF;
  IF notice IS NOT NULL THEN PERFORM pg_notify('${schema}', notice); END IF;
  RETURN stamp;
END $body$;
COMMIT;`;
}
