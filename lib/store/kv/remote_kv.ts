import type { StoreHealth } from "../file/store_health.ts";
import { type Changes, type Committed, DenoEngine, type Engine } from "./engine.ts";
import { KvTunnel } from "./kv_tunnel.ts";
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
  readonly engine: Engine;
  readonly tunnel?: KvTunnel;
}

/**
 * A connection to a KV server. Deno's client retries for ever and cannot be cancelled, so each
 * operation has a deadline. While the server is silent, operations fail immediately instead of
 * piling up in the client; once it is back, a new client replaces the old one, whose connection may
 * be dead.
 */
export class RemoteKv implements Engine {
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
    options.health.onChange(({ fault }) => fault === "silent" && this.#cut());
  }

  static async open(options: RemoteOptions): Promise<RemoteKv> {
    const deadline = new StoreDeadline(options.waitMs, options.health);
    const client = await connect(options);
    return new RemoteKv(client, options, deadline);
  }

  /** Writes a value; reconnects first if the server was silent. Rejects while it does not answer. */
  async probe(key: Deno.KvKey, value: unknown): Promise<void> {
    const write = { checks: [], mutations: [{ type: "set", key, value } as const] };
    if (!this.#isCut) return void await this.#commitOn(this.#client, write);
    const client = await connect(this.#options);
    try {
      await this.#commitOn(client, write);
    } catch (error) {
      client.engine.close();
      client.tunnel?.end();
      throw error;
    }
    if (this.#isClosed) return close(client);
    this.#client.engine.close(); // ends its watches, which start again on the new client
    this.#client = client;
    this.#isCut = false;
  }

  /** Makes the client give up its requests: their callers have got an error. */
  #cut(): void {
    this.#isCut = true;
    this.#client.tunnel?.end();
  }

  get(key: Deno.KvKey) {
    return this.#run(({ engine }) => engine.get(key));
  }

  getMany(keys: readonly Deno.KvKey[]) {
    return this.#run(({ engine }) => engine.getMany(keys));
  }

  async *list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
    const client = this.#client;
    const entries = client.engine.list(selector, options)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await this.#run(() => entries.next(), client);
      if (done) return;
      yield value;
    }
  }

  commit(changes: Changes): Promise<Committed> {
    return this.#run(({ engine }) => engine.commit(changes));
  }

  watch(keys: readonly Deno.KvKey[]) {
    return this.#client.engine.watch(keys);
  }

  close(): void {
    this.#isClosed = true;
    close(this.#client);
  }

  #commitOn({ engine }: Client, changes: Changes): Promise<Committed> {
    return this.#deadline.run(() => engine.commit(changes));
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
  if (url === undefined) return { engine: new DenoEngine(await Deno.openKv()) };
  const status = await reachServer(url, waitMs).catch((cause) => {
    throw health.error("silent", cause);
  });
  const tunnel = url.startsWith("http:") ? await tunnelTo(url, status, waitMs) : undefined;
  try {
    return { engine: new DenoEngine(await Deno.openKv(tunnel?.url ?? url)), tunnel };
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

/**
 * Returns the status that a server responds with to a request without a token. Rejects if it does
 * not respond within `waitMs`. The request can be cancelled, unlike the requests of the KV client.
 */
async function reachServer(url: string, waitMs: number): Promise<number> {
  using client = Deno.createHttpClient({ http1: false, http2: true }); // as the KV client does
  const init: RequestInit & { client: Deno.HttpClient } = {
    client,
    method: "POST",
    body: "{}",
    redirect: "manual",
    signal: AbortSignal.timeout(waitMs),
  };
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}

function close({ engine, tunnel }: Client): void {
  engine.close();
  tunnel?.close();
}
