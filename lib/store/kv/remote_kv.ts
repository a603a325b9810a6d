import type { StoreHealth } from "../file/store_health.ts";
import { KvTunnel } from "./kv_tunnel.ts";
import { reachServer } from "./reach_server.ts";
import { StoreDeadline } from "./store_deadline.ts";

interface RemoteOptions {
  /** Undefined for the database attached to a deployment. */
  readonly url: string | undefined;
  readonly health: StoreHealth;
  /** Time limit of one operation, and of each step of a connection. */
  readonly waitMs: number;
}

/** Deno's client, with the tunnel that it goes through if the server is used without TLS. */
interface Client {
  readonly kv: Deno.Kv;
  readonly tunnel?: KvTunnel;
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
  #client: Client;
  /** True from the start of a silence until a new client is connected. */
  #isCut = false;
  #isClosed = false;

  private constructor(client: Client, options: RemoteOptions, deadline: StoreDeadline) {
    this.#client = client;
    this.#options = options;
    this.#deadline = deadline;
    this.kv = this.#bounded();
    options.health.onChange(({ fault }) => fault === "silent" && this.#cut());
  }

  static async open(options: RemoteOptions): Promise<RemoteKv> {
    const deadline = new StoreDeadline(options.waitMs, options.health);
    const client = await connect(options);
    return new RemoteKv(client, options, deadline);
  }

  /** Writes a value; reconnects first if the server was silent. Rejects while it does not answer. */
  async probe(key: Deno.KvKey, value: unknown): Promise<void> {
    if (!this.#isCut) return void await this.#deadline.run(() => this.#client.kv.set(key, value));
    const client = await connect(this.#options);
    try {
      await this.#deadline.run(() => client.kv.set(key, value));
    } catch (error) {
      client.kv.close();
      client.tunnel?.end();
      throw error;
    }
    if (this.#isClosed) return close(client);
    this.#client.kv.close(); // ends its watches, which start again on the new client
    this.#client = client;
    this.#isCut = false;
  }

  /** Makes the client give up its requests: their callers have got an error. */
  #cut(): void {
    this.#isCut = true;
    this.#client.tunnel?.end();
  }

  /** `guardedKv` completes it; the store uses no other methods. */
  #bounded(): Deno.Kv {
    return Object.assign(Object.create(Deno.Kv.prototype) as Deno.Kv, { // sound: the store uses only these methods
      get: (...args: Parameters<Deno.Kv["get"]>) => this.#run(({ kv }) => kv.get(...args)),
      getMany: (...args: Parameters<Deno.Kv["getMany"]>) =>
        this.#run(({ kv }) => kv.getMany(...args)),
      list: (...args: Parameters<Deno.Kv["list"]>) => this.#list(...args),
      set: (...args: Parameters<Deno.Kv["set"]>) => this.#run(({ kv }) => kv.set(...args)),
      delete: (...args: Parameters<Deno.Kv["delete"]>) => this.#run(({ kv }) => kv.delete(...args)),
      atomic: () => this.#atomic(),
      watch: (...args: Parameters<Deno.Kv["watch"]>) => this.#client.kv.watch(...args),
      close: () => {
        this.#isClosed = true;
        close(this.#client);
      },
    });
  }

  #list(...args: Parameters<Deno.Kv["list"]>): Deno.KvListIterator<unknown> {
    const client = this.#client;
    const iterator = client.kv.list(...args);
    const { next } = iterator;
    return Object.assign(iterator, { next: () => this.#run(() => next.call(iterator), client) });
  }

  #atomic(): Deno.AtomicOperation {
    const client = this.#client;
    const operation = client.kv.atomic();
    const { commit } = operation;
    return Object.assign(operation, {
      commit: () => this.#run(() => commit.call(operation), client),
    });
  }

  /** Runs a step of an operation that began on `client`, which is closed after a reconnection. */
  async #run<Result>(
    step: (client: Client) => Promise<Result>,
    client = this.#client,
  ): Promise<Result> {
    if (this.#isCut || client !== this.#client) throw this.#options.health.error("silent");
    return await this.#deadline.run(() => step(client));
  }
}

/** Takes at most twice `waitMs`: `Deno.openKv` connects later. */
async function connect({ url, health, waitMs }: RemoteOptions): Promise<Client> {
  if (url === undefined) return { kv: await Deno.openKv() };
  const status = await reachServer(url, waitMs).catch((cause) => {
    throw health.error("silent", cause);
  });
  const tunnel = url.startsWith("http:") ? await tunnelTo(url, status, waitMs) : undefined;
  try {
    return { kv: await Deno.openKv(tunnel?.url ?? url), tunnel };
  } catch (error) {
    tunnel?.close();
    throw error;
  }
}

/** Undefined if a proxy in between responds differently to the tunnel's own address. */
async function tunnelTo(
  url: string,
  status: number,
  waitMs: number,
): Promise<KvTunnel | undefined> {
  const tunnel = new KvTunnel(url);
  if (await reachServer(tunnel.url, waitMs).catch(() => undefined) === status) return tunnel;
  tunnel.close();
}

function close({ kv, tunnel }: Client): void {
  kv.close();
  tunnel?.close();
}
