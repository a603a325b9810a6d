import type { StoreHealth } from "../file/store_health.ts";
import { watchedKinds } from "../keys.ts";
import { type Changes, type Committed, type Engine, keysReadMax, notASum } from "../kv/engine.ts";
import { StoreError } from "../kv/error.ts";
import { decodeKey } from "../kv/key_codec.ts";
import { commitParameters, readKey, versionstampOf } from "./changes.ts";
import { ConnectionPool } from "./connection_pool.ts";
import { byteArrays, sqlState } from "./driver.ts";
import { faultOfServer, openingFault } from "./faults.ts";
import type { PostgresLocation } from "./location.ts";
import { after, rangeOf } from "./range.ts";
import { commitFunction, prepareSchema } from "./schema.ts";
import { Watches } from "./watches.ts";

interface OpenOptions {
  readonly location: PostgresLocation;
  readonly health: StoreHealth;
  /** Time limit of a connection and of a statement. */
  readonly waitMs: number;
  /** False refuses a database without a store; true by default. */
  readonly mayCreate?: boolean;
}

/** A row of the table, as the statements name its columns. */
interface Row {
  readonly k: Uint8Array;
  readonly v: Uint8Array | null;
  readonly n: string | null;
  readonly s: bigint;
}

const [batchUsual, batchMax] = [100, 500];
const [sweepMs, sweptAtOnce] = [30_000, 1_000];
/** Nothing was committed: a conflict of transactions, a deadlock, no lock in time, no room for locks. */
const rolledBack = new Set(["40001", "40P01", "55P03", "53200"]);
const attemptsMax = 20;
const retryPauseMs = 4;

/**
 * Deno KV on a table of PostgreSQL; docs/decisions/0051-postgresql.md has the reasons. A commit is one
 * statement. If its connection breaks before the answer, its outcome is unknown, and it throws
 * `StoreUnavailable`; it is repeated only after errors that prove that nothing was committed.
 */
export class PostgresEngine implements Engine {
  readonly #connections: ConnectionPool;
  readonly #watches: Watches;
  readonly #health: StoreHealth;
  readonly #table: string;
  readonly #commitSql: string;
  readonly #sweeping: ReturnType<typeof setInterval>;
  readonly #use: StoreHealth["pool"];
  #repeated = 0;

  private constructor(connections: ConnectionPool, { location, health }: OpenOptions) {
    const { schema } = location;
    this.#connections = connections;
    this.#health = health;
    this.#table = `"${schema}".kv`;
    const parameters = Array.from({ length: 12 }, (_, at) => `$${at + 1}`);
    this.#commitSql = `SELECT "${schema}".${commitFunction}(${parameters.join(", ")}) AS s`;
    this.#watches = new Watches({
      connections,
      channel: schema,
      read: (keys) => this.#entries(keys),
    });
    this.#sweeping = setInterval(() => void this.sweep().catch(() => {}), sweepMs); // the next one tries again
    Deno.unrefTimer(this.#sweeping);
    this.#use = () => ({ ...connections.use, repeated: this.#repeated });
    health.pool = this.#use;
  }

  /** Throws `StoreUnavailable` if the server does not answer, `StoreError` if it cannot hold a store. */
  static async open(options: OpenOptions): Promise<PostgresEngine> {
    const { location, health, mayCreate = true } = options;
    const engine = PostgresEngine.reopen(options);
    try {
      await prepareSchema(engine.#connections, { ...location, mayCreate });
      return engine;
    } catch (error) {
      engine.close();
      if (error instanceof StoreError) throw error;
      throw openingFault(error, location.where) ??
        health.error(faultOfServer(error)?.name ?? "silent", error);
    }
  }

  /** Opens it again after an outage: a schema that is gone meanwhile is not created again. */
  static reopen(options: OpenOptions): PostgresEngine {
    const { location, waitMs } = options;
    return new PostgresEngine(new ConnectionPool({ ...location, waitMs }), options);
  }

  async get(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<unknown>> {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    if (keys.length > keysReadMax) throw new TypeError(`Too many ranges (max ${keysReadMax})`);
    return await this.#entries(keys);
  }

  async #entries(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    const encoded = keys.map(readKey);
    const rows = await this.#read<Row>("get", `${this.#selectSql} AND key = ANY ($1)`, [
      byteArrays(encoded),
    ]);
    const found = new Map(rows.map((row) => [row.k.toHex(), row]));
    return keys.map((key, at) => {
      const row = found.get(encoded[at].toHex());
      return row ? entryOf(row) : { key: [...key], value: null, versionstamp: null };
    });
  }

  async *list(
    selector: Deno.KvListSelector,
    { reverse = false, limit = Infinity, batchSize = batchUsual }: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<unknown>> {
    const [name, order] = reverse ? ["list_down", "DESC"] : ["list_up", "ASC"];
    const sql = `${this.#selectSql} AND key >= $1 AND key < $2 ORDER BY key ${order} LIMIT $3`;
    let [from, to] = rangeOf(selector);
    for (let left = limit; left > 0;) {
      const count = Math.min(batchSize, batchMax, left);
      const rows = await this.#read<Row>(name, sql, [from, to, count]);
      for (const row of rows) yield entryOf(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return;
      left -= rows.length;
      if (reverse) to = last.k;
      else from = after(last.k);
    }
  }

  async commit(changes: Changes): Promise<Committed> {
    const notice = changes.mutations.find(({ key }) => watchedKinds.has(key[0]));
    const parameters = [...commitParameters(changes), notice ? String(notice.key[0]) : null];
    const version = await this.#committed(parameters);
    if (version === null) return { ok: false };
    if (notice) this.#watches.poll();
    return { ok: true, versionstamp: versionstampOf(version) };
  }

  watch(keys: readonly Deno.KvKey[]): ReadableStream<Deno.KvEntryMaybe<unknown>[]> {
    return this.#watches.watch(keys);
  }

  close(): void {
    clearInterval(this.#sweeping);
    if (this.#health.pool === this.#use) this.#health.pool = undefined;
    this.#watches.close();
    this.#connections.close();
  }

  /**
   * Deletes expired entries, which no read shows: all of them, or as many as it can until the next
   * sweep. Never waits for a commit.
   */
  async sweep(): Promise<void> {
    const old = `SELECT key FROM ${this.#table} WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED`;
    const text = `WITH old AS (${old}), gone AS (DELETE FROM ${this.#table} AS t USING old
      WHERE t.key = old.key RETURNING 1) SELECT count(*) AS s FROM gone`;
    for (const endsAt = performance.now() + sweepMs; performance.now() < endsAt;) {
      const [{ s }] = await this.#connections.commit<{ s: bigint }>({ text });
      if (s < sweptAtOnce) return;
    }
  }

  get #selectSql(): string {
    return `SELECT key AS k, value AS v, n, version AS s FROM ${this.#table}
      WHERE (expires_at IS NULL OR expires_at > now())`;
  }

  async #committed(values: readonly unknown[]): Promise<bigint | null> {
    const query = { name: "commit", text: this.#commitSql, values };
    for (let attempt = 1;; attempt++) {
      try {
        const [{ s }] = await this.#connections.commit<{ s: bigint | null }>(query);
        return s;
      } catch (error) {
        if (sqlState(error) === "TS001") throw notASum();
        if (!rolledBack.has(sqlState(error)) || attempt === attemptsMax) {
          throw this.#reported(error);
        }
        this.#repeated++;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * attempt * retryPauseMs));
      }
    }
  }

  async #read<Result>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Result[]> {
    try {
      return await this.#connections.read<Result>({ name, text, values });
    } catch (error) {
      throw this.#reported(error);
    }
  }

  /** Returns the error to throw. A broken connection alone does not prove that the server is away. */
  #reported(error: unknown): unknown {
    const fault = faultOfServer(error);
    if (fault === undefined) return error;
    if (fault.isProven) this.#health.report(fault.name);
    return this.#health.error(fault.name, error);
  }
}

function entryOf({ k, v, n, s }: Row): Deno.KvEntry<unknown> {
  const value = n === null ? v ?? new Uint8Array() : new Deno.KvU64(BigInt(n));
  return { key: decodeKey(k), value, versionstamp: versionstampOf(s) };
}
