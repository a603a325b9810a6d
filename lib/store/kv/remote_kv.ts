import type { StoreHealth } from "../file/store_health.ts";
import { reachServer } from "./reach_server.ts";
import { StoreDeadline } from "./store_deadline.ts";

interface RemoteOptions {
  /** Undefined for the database attached to a deployment. */
  readonly url: string | undefined;
  readonly health: StoreHealth;
  /** Time limit of one operation. */
  readonly waitMs: number;
}

/**
 * A connection to a KV server. Deno's client retries for ever and cannot be cancelled, so each
 * operation has a deadline. While the server is silent, operations fail immediately instead of
 * piling up in the client; once it is back, a new client replaces the old one, whose connection may
 * be dead.
 */
export class RemoteKv {
  /** The database as the store uses it; stays the same across reconnections. */
  readonly kv: Deno.Kv;
  readonly #options: RemoteOptions;
  readonly #deadline: StoreDeadline;
  #client: Deno.Kv;

  private constructor(client: Deno.Kv, options: RemoteOptions, deadline: StoreDeadline) {
    this.#client = client;
    this.#options = options;
    this.#deadline = deadline;
    this.kv = this.#bounded();
  }

  static async open(options: RemoteOptions): Promise<RemoteKv> {
    const deadline = new StoreDeadline(options.waitMs, options.health);
    const client = await deadline.run(() => Deno.openKv(options.url));
    return new RemoteKv(client, options, deadline);
  }

  /** Writes a value; reconnects first if the server was silent. Rejects while it does not answer. */
  async probe(key: Deno.KvKey, value: unknown): Promise<void> {
    const { url, health } = this.#options;
    if (health.fault !== "silent") {
      return void await this.#deadline.run(() => this.#client.set(key, value));
    }
    if (url !== undefined) await reachServer(url);
    const client = await this.#deadline.run(() => Deno.openKv(url));
    try {
      await this.#deadline.run(() => client.set(key, value));
    } catch (error) {
      client.close();
      throw error;
    }
    this.#client.close(); // ends its watches, which start again on the new client
    this.#client = client;
  }

  /** `guardedKv` completes it; the store uses no other methods. */
  #bounded(): Deno.Kv {
    return Object.assign(Object.create(Deno.Kv.prototype) as Deno.Kv, { // sound: the store uses only these methods
      get: (...args: Parameters<Deno.Kv["get"]>) => this.#run((client) => client.get(...args)),
      getMany: (...args: Parameters<Deno.Kv["getMany"]>) =>
        this.#run((client) => client.getMany(...args)),
      list: (...args: Parameters<Deno.Kv["list"]>) => this.#list(...args),
      set: (...args: Parameters<Deno.Kv["set"]>) => this.#run((client) => client.set(...args)),
      delete: (...args: Parameters<Deno.Kv["delete"]>) =>
        this.#run((client) => client.delete(...args)),
      atomic: () => this.#atomic(),
      watch: (...args: Parameters<Deno.Kv["watch"]>) => this.#client.watch(...args),
      close: () => this.#client.close(),
    });
  }

  #list(...args: Parameters<Deno.Kv["list"]>): Deno.KvListIterator<unknown> {
    const client = this.#client;
    const iterator = client.list(...args);
    const { next } = iterator;
    return Object.assign(iterator, { next: () => this.#run(() => next.call(iterator), client) });
  }

  #atomic(): Deno.AtomicOperation {
    const client = this.#client;
    const operation = client.atomic();
    const { commit } = operation;
    return Object.assign(operation, {
      commit: () => this.#run(() => commit.call(operation), client),
    });
  }

  /** Runs a step of an operation that began on `client`, which is closed after a reconnection. */
  async #run<Result>(
    step: (client: Deno.Kv) => Promise<Result>,
    client = this.#client,
  ): Promise<Result> {
    const { health } = this.#options;
    if (health.fault === "silent" || client !== this.#client) throw health.error("silent");
    return await this.#deadline.run(() => step(client));
  }
}
