import type { StoreHealth } from "../file/store_health.ts";
import { type Changes, type Committed, DenoEngine, type Engine } from "./engine.ts";
import { StoreDeadline } from "./store_deadline.ts";

interface RemoteOptions {
  /** Opens a client of the server, which answers at that time. */
  readonly connect: () => Promise<Engine>;
  /** Opens another one after a silence; `connect` by default. */
  readonly reconnect?: () => Promise<Engine> | Engine;
  readonly health: StoreHealth;
  /** Time limit of one operation. */
  readonly waitMs: number;
}

/**
 * A database on a server. Each operation has a deadline. While the server is silent, operations
 * fail immediately instead of piling up in its client; once it is back, a new client replaces the
 * old one, whose connections may be dead.
 */
export class RemoteEngine implements Engine {
  readonly #options: RemoteOptions;
  readonly #deadline: StoreDeadline;
  #client: Engine;
  /** True from the start of a silence until a new client is connected. */
  #isCut = false;
  #isClosed = false;

  private constructor(client: Engine, options: RemoteOptions) {
    this.#client = client;
    this.#options = options;
    this.#deadline = new StoreDeadline(options.waitMs, options.health);
    options.health.onChange(({ fault }) => fault === "silent" && this.#cut());
  }

  static async open(options: RemoteOptions): Promise<RemoteEngine> {
    return new RemoteEngine(await options.connect(), options);
  }

  /** Writes a value; reconnects first if the server was silent. Rejects while it does not answer. */
  async probe(key: Deno.KvKey, value: unknown): Promise<void> {
    const write = { checks: [], mutations: [{ type: "set", key, value } as const] };
    if (!this.#isCut) return void await this.#commitOn(this.#client, write);
    const { connect, reconnect = connect } = this.#options;
    const client = await reconnect();
    try {
      await this.#commitOn(client, write);
    } catch (error) {
      client.close();
      throw error;
    }
    if (this.#isClosed) return client.close();
    this.#client = client;
    this.#isCut = false;
  }

  /** Makes the client give up its requests, whose callers have got an error, and its watches. */
  #cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#client.close();
  }

  get(key: Deno.KvKey) {
    return this.#run((client) => client.get(key));
  }

  getMany(keys: readonly Deno.KvKey[]) {
    return this.#run((client) => client.getMany(keys));
  }

  async *list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
    const client = this.#client;
    const entries = client.list(selector, options)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await this.#run(() => entries.next(), client);
      if (done) return;
      yield value;
    }
  }

  commit(changes: Changes): Promise<Committed> {
    return this.#run((client) => client.commit(changes));
  }

  watch(keys: readonly Deno.KvKey[]) {
    return this.#client.watch(keys);
  }

  close(): void {
    this.#isClosed = true;
    if (!this.#isCut) this.#client.close();
  }

  #commitOn(client: Engine, changes: Changes): Promise<Committed> {
    return this.#deadline.run(() => client.commit(changes));
  }

  /** Runs a step of an operation that began on `client`, which is closed after a reconnection. */
  async #run<Result>(
    step: (client: Engine) => Promise<Result>,
    client = this.#client,
  ): Promise<Result> {
    const isOver = () => this.#isCut || client !== this.#client;
    if (isOver()) throw this.#options.health.error("silent");
    return await this.#deadline.run(() => step(client)).catch((error) => {
      throw isOver() ? this.#options.health.error("silent", error) : error;
    });
  }
}

/**
 * Connects to a KV server, or to the database attached to a deployment. Deno's client connects
 * later and retries for ever, so the server is asked first, for at most `waitMs`.
 */
export async function connectKv(
  url: string | undefined,
  { health, waitMs }: { readonly health: StoreHealth; readonly waitMs: number },
): Promise<Engine> {
  if (url === undefined) return new DenoEngine(await Deno.openKv());
  await reachServer(url, waitMs).catch((cause) => {
    throw health.error("silent", cause);
  });
  return new DenoEngine(await Deno.openKv(url));
}

/** Rejects if a server does not respond within `waitMs` to a request without a token. */
async function reachServer(url: string, waitMs: number): Promise<void> {
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
}
