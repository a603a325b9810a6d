import { StoreError } from "../kv/error.ts";
import type { ClientOptions } from "./driver.ts";

/** A database of PostgreSQL, as `TESSERA_KV` names it. */
export interface PostgresLocation {
  readonly client: Omit<ClientOptions, "connectionTimeoutMillis">;
  /** The schema that holds the store; `tessera` by default. */
  readonly schema: string;
  /** The most connections for commits of one isolate; 4 by default. */
  readonly commitConnections: number;
  /** States whether PgBouncer is in between; each connection finds it out by default. */
  readonly isPooled: boolean | undefined;
  /** Names it for the operator, without its user and password. */
  readonly where: string;
}

const parameters = ["schema", "pool", "pgbouncer", "sslmode", "sslrootcert"];
const sslModes = ["disable", "verify-full", "no-verify"];
const [poolMin, poolMax] = [1, 64];

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE` with the parameters `schema`, `pool` (connections
 * for commits), `pgbouncer` (`true`, `false`), `sslmode` (`disable`, `verify-full`, `no-verify`) and
 * `sslrootcert` (a file). Throws `StoreError`, whose message never has the password.
 */
export function postgresLocation(text: string): PostgresLocation {
  const url = URL.parse(text);
  if (!url?.hostname) throw refused("must be postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  const { searchParams: given } = url;
  const unknown = [...given.keys()].find((name) => !parameters.includes(name));
  if (unknown) {
    throw refused(`has an unknown parameter ${unknown}; known are ${parameters.join(", ")}`);
  }
  const database = decoded(url.pathname.slice(1)) || "tessera";
  const schema = given.get("schema") ?? "tessera";
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema)) {
    throw refused("must name a schema of small letters, digits and _, at most 51");
  }
  return {
    client: {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(url.port) || 5432,
      user: decoded(url.username) || "tessera",
      password: decoded(url.password),
      database,
      ssl: encryption(given.get("sslmode") ?? "disable", given.get("sslrootcert")),
    },
    schema,
    commitConnections: poolSize(given.get("pool") ?? "4"),
    isPooled: pooling(given.get("pgbouncer")),
    where: `postgres://${url.host}/${database}?schema=${schema}`,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused("has a % that is not percent-encoded: write %25"); // the error may quote a part
  }
}

function encryption(mode: string, certificate: string | null): ClientOptions["ssl"] {
  if (!sslModes.includes(mode)) {
    throw refused(`has an sslmode that is not one of ${sslModes.join(", ")}`);
  }
  const isVerified = mode === "verify-full";
  if (certificate === null) return mode !== "disable" && { rejectUnauthorized: isVerified };
  if (!isVerified) throw refused("has an sslrootcert, which needs sslmode=verify-full");
  return { rejectUnauthorized: true, ca: authority(certificate) };
}

function authority(path: string): string {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (cause) {
    throw refused(`names an sslrootcert that cannot be read: ${path}`, cause);
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw refused(`names an sslrootcert without a certificate in PEM format: ${path}`);
}

function pooling(text: string | null): boolean | undefined {
  if (text === null) return undefined;
  if (text === "true" || text === "false") return text === "true";
  throw refused("has a pgbouncer that is not true or false");
}

function poolSize(text: string): number {
  const size = Number(text);
  if (Number.isInteger(size) && size >= poolMin && size <= poolMax) return size;
  throw refused(`must have a pool of ${poolMin} to ${poolMax} connections`);
}

function refused(what: string, cause?: unknown): StoreError {
  return new StoreError("unreadable", `Cannot open the store: TESSERA_KV ${what}`, { cause });
}
