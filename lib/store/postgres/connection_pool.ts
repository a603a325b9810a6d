import {
  type ClientOptions,
  type DatabaseClient,
  newClient,
  type Query,
  sqlState,
} from "./driver.ts";

interface PoolOptions {
  readonly client: Omit<ClientOptions, "connectionTimeoutMillis">;
  readonly commitConnections: number;
  readonly isPooled: boolean | undefined;
  /** Time limit of a connection and of a statement. */
  readonly waitMs: number;
}

/** Reads are pipelined, so that two connections suffice. */
const readConnections = 2;
/** The pause before another connection is requested of a server that granted no more. */
const fullMs = 1_000;
/** A response that came while this isolate was busy is read in this time. */
const graceMs = 250;
/** After other errors of the server its connection can be used again; a standby's is of no use. */
const ending = /^(08|57P|25006|53300)/;

/**
 * The connections of one isolate. Reads share two of them; a commit has one of its own, because it
 * may wait for locks. A connection that breaks, or does not answer in time, is destroyed: the
 * outcome of its commit is then unknown.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  readonly #readers: (Promise<Connection> | undefined)[] = Array(readConnections);
  readonly #idle: Connection[] = [];
  readonly #waiting: PromiseWithResolvers<Connection | undefined>[] = [];
  #committing = 0;
  #turn = 0;
  #fullUntil = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Commits that run, and commits that wait for a connection. */
  get use(): { readonly running: number; readonly waiting: number } {
    return { running: this.#committing - this.#idle.length, waiting: this.#waiting.length };
  }

  /** True for a second after the server granted no more connections. */
  get isFull(): boolean {
    return performance.now() < this.#fullUntil;
  }

  /** Repeats a read once if its connection breaks, which changes nothing. */
  async read<Row>(query: Query, isRepeated = false): Promise<readonly Row[]> {
    const connection = await this.#reader();
    if (!connection) return await this.commit<Row>(query); // a connection for commits may be open
    try {
      return await connection.query<Row>(query);
    } catch (error) {
      if (!connection.isDead || this.#isClosed || isRepeated) throw error;
      return await this.read<Row>(query, true);
    }
  }

  /** Never repeats: the caller decides by the error whether nothing was committed. */
  async commit<Row>(query: Query): Promise<readonly Row[]> {
    const connection = await this.#committer();
    try {
      return await connection.query<Row>(query);
    } finally {
      this.#giveBack(connection);
    }
  }

  /** Opens a connection that hears the notifications of a channel until it ends; not through a pooler. */
  async listen(channel: string, heard: () => void, ended: () => void): Promise<void> {
    const connection = await this.#connect();
    if (connection.isPooled) connection.end();
    else await connection.listen(channel, heard, ended);
  }

  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(closed());
    for (const connection of this.#all) connection.end();
  }

  /**
   * Opens the connection whose turn it is if it is dead. If the server grants no more, returns the other
   * one, or undefined if that is not open either.
   */
  async #reader(): Promise<Connection | undefined> {
    const at = this.#turn++ % readConnections;
    const known = this.#readers[at];
    const connection = await usable(known);
    if (connection) return connection;
    try {
      if (this.#readers[at] === known && !this.isFull) this.#readers[at] = this.#connect();
      if (this.#readers[at] !== known) return await this.#readers[at];
    } catch (error) {
      if (sqlState(error) !== "53300") throw error;
    }
    return (await Promise.all(this.#readers.map(usable))).find(Boolean);
  }

  async #committer(): Promise<Connection> {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle?.isDead) this.#committing--;
      else if (idle) return idle;
      else if (this.#mayOpenCommitter) {
        const opened = await this.#newCommitter();
        if (opened) return opened;
      } else {
        const given = await this.#given();
        if (given) return given;
      }
    }
  }

  get #mayOpenCommitter(): boolean {
    if (this.#committing > 0 && this.isFull) return false; // one of ours will be free
    return this.#committing < this.#options.commitConnections;
  }

  /** Returns undefined if the server has no more connections, and another of ours is or will be free. */
  async #newCommitter(): Promise<Connection | undefined> {
    this.#committing++;
    try {
      return await this.#connect();
    } catch (error) {
      this.#committing--;
      if (sqlState(error) === "53300" && this.#committing > 0) return undefined;
      this.#waiting.shift()?.resolve(undefined); // nothing else may wake it
      throw error;
    }
  }

  /** Waits for a connection, or for room for one. */
  #given(): Promise<Connection | undefined> {
    const waiting = Promise.withResolvers<Connection | undefined>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  #giveBack(connection: Connection): void {
    const next = this.#waiting.shift();
    if (connection.isDead) this.#committing--;
    else if (!next) this.#idle.push(connection);
    next?.resolve(connection.isDead ? undefined : connection);
  }

  async #connect(): Promise<Connection> {
    if (this.#isClosed) throw closed();
    const { client: options, waitMs, isPooled } = this.#options;
    const connection = new Connection(newClient({ ...options, connectionTimeoutMillis: waitMs }), {
      waitMs,
      onEnd: () => this.#all.delete(connection),
    });
    this.#all.add(connection);
    try {
      await connection.open(isPooled);
    } catch (error) {
      if (sqlState(error) === "53300") this.#fullUntil = performance.now() + fullMs;
      throw error;
    }
    if (!this.#isClosed) return connection;
    connection.end();
    throw closed();
  }
}

interface ConnectionOptions {
  readonly waitMs: number;
  readonly onEnd: () => void;
}

class Connection {
  readonly #client: DatabaseClient;
  readonly #options: ConnectionOptions;
  isDead = false;
  /** True if each transaction may get another connection of the server, which keeps no state of ours. */
  isPooled = true;

  constructor(client: DatabaseClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    client.on("error", () => this.#destroy()).on("end", () => this.#destroy());
  }

  /** Limits statements on the server, too, unless a pooler is in between, which refuses such a limit. */
  async open(isPooled: boolean | undefined): Promise<void> {
    try {
      await this.#client.connect();
      const values = [isPooled ?? null, this.#client.processID, `${this.#options.waitMs}`];
      const [{ limit }] = await this.query<{ limit: string | null }>({ text: limitSql, values });
      this.isPooled = limit === null;
    } catch (error) {
      this.#destroy();
      throw error;
    }
  }

  async listen(channel: string, heard: () => void, ended: () => void): Promise<void> {
    this.#client.on("notification", heard).on("end", ended).on("error", ended);
    await this.query({ text: `LISTEN "${channel}"` });
    await this.query({ text: "SELECT pg_notify($1, '')", values: [channel] });
  }

  async query<Row>({ name, text, values }: Query): Promise<readonly Row[]> {
    const { waitMs } = this.#options;
    let timer = setTimeout(() => timer = setTimeout(() => this.#destroy(), graceMs), waitMs);
    try {
      const query = this.isPooled ? { text, values } : { name, text, values };
      return (await this.#client.query<Row>(query)).rows;
    } catch (error) {
      if (sqlState(error) === "" || ending.test(sqlState(error))) this.#destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it with a farewell, after the statements that run. */
  end(): void {
    void this.#client.end().catch(() => {});
  }

  /** Ends it at once, which rejects its statements. */
  #destroy(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#options.onEnd();
    this.#client.connection.stream.destroy();
  }
}

/** A pooler states a process of its own, unlike the server that answers. */
const limitSql = `SELECT CASE WHEN NOT coalesce($1::boolean, pg_backend_pid() <> $2::int)
  THEN set_config('statement_timeout', $3, false) END AS "limit"`;

function closed(): Error {
  return new Deno.errors.BadResource("Database closed");
}

/** Returns undefined for a connection that could not be opened, or broke. */
async function usable(opening: Promise<Connection> | undefined): Promise<Connection | undefined> {
  const connection = await opening?.catch(() => undefined);
  return connection?.isDead ? undefined : connection;
}
