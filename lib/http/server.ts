import {
  type ConnectionLimits,
  Connections,
  type Networks,
  type OpenConnection,
  type ServedConnection,
  type Upgraded,
} from "./connections.ts";

/** The address of a server, and its answer to a request whose handler throws. */
interface ServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly onError: (thrown: unknown) => Response;
  /**
   * Called at the first of several failures in a row to accept a connection, such as without free
   * file descriptors. Accepting is retried.
   */
  readonly onAcceptFailure: (error: unknown) => void;
  /** Called when connections are refused, at most once a minute, with the number of open ones. */
  readonly onRefusal: (open: number) => void;
  readonly limits: ConnectionLimits;
  readonly networks: Networks;
  /** True if all isolates of the process share the address. */
  readonly isShared?: boolean;
  /** True on Deno Deploy, which has a server of its own behind `Deno.serve`. */
  readonly isOnDeploy?: boolean;
}

/** A server that listens. */
export interface Server {
  readonly addr: Deno.NetAddr;
  /** Accepts no more connections, and resolves once all answers in flight have ended. */
  shutdown(): Promise<void>;
}

/** `Deno.serve` for one accepted connection. `node:http` was built on it; it is not a public API. */
type ServeConnection = (
  connection: Deno.TcpConn,
  signal: Pick<OpenConnection, "addEventListener">,
  handler: Deno.ServeHandler,
  onError: ServerOptions["onError"],
  onListen: () => void,
) => ServedConnection;

/** The pause after a failure to accept, which lasts until another connection ends. */
const acceptPauseMs = 100;
const reportPauseMs = 60_000;

/** Listens and serves. Throws like `Deno.listen`. */
export function serveHttp(options: ServerOptions, handler: Deno.ServeHandler): Server {
  const serveConnection = serverOfConnections();
  const { hostname, port, onError, isShared = false, isOnDeploy = false } = options;
  // Deploy calls the handlers of `Deno.serve` only, and its isolates share no address.
  if (serveConnection && (isShared || !isOnDeploy)) {
    return new NoDelayServer(options, handler, serveConnection);
  }
  return Deno.serve({ hostname, port, reusePort: isShared, onError, onListen() {} }, handler);
}

/**
 * Serves HTTP on TCP connections without Nagle's algorithm. `Deno.serve` leaves it on (Deno 2.8.2):
 * each part of a stream then waits until the client has acknowledged the previous one, for which
 * clients take up to 40 ms on Linux and 200 ms on other systems (delayed ACK). See
 * `docs/decisions/0047-sending-at-once.md`.
 */
class NoDelayServer implements Server {
  readonly #options: ServerOptions;
  readonly #handler: Deno.ServeHandler;
  readonly #serveConnection: ServeConnection;
  readonly #listener: Deno.TcpListener;
  readonly #connections: Connections;
  #isStopping = false;
  #reportedAtMs = -Infinity;

  constructor(
    options: ServerOptions,
    handler: Deno.ServeHandler,
    serveConnection: ServeConnection,
  ) {
    const { hostname, port, limits, networks, isShared: loadBalanced = false } = options;
    this.#options = options;
    this.#handler = handler;
    this.#serveConnection = serveConnection;
    this.#connections = new Connections(limits, networks);
    this.#listener = listenOn({ hostname, port, loadBalanced });
    void this.#acceptAll();
  }

  get addr(): Deno.NetAddr {
    return this.#listener.addr;
  }

  async shutdown(): Promise<void> {
    if (!this.#isStopping) this.#listener.close();
    this.#isStopping = true;
    const ends = this.#connections.members().map((open) => open.shutdown());
    await Promise.allSettled(ends); // a broken connection ends no other
  }

  async #acceptAll(): Promise<void> {
    let isFailing = false;
    while (!this.#isStopping) {
      try {
        const connection = await this.#listener.accept();
        const admitted = this.#connections.admit(connection.remoteAddr.hostname);
        this.#serve(connection, admitted instanceof Promise ? await admitted : admitted);
        isFailing = false;
      } catch (error) {
        if (this.#isStopping) return;
        if (isClientGone(error)) continue;
        if (!isFailing) this.#options.onAcceptFailure(error);
        isFailing = true;
        await new Promise((resolve) => setTimeout(resolve, acceptPauseMs));
        await this.#connections.failedToAccept(error);
      }
    }
  }

  #serve(connection: Deno.TcpConn, open: OpenConnection | undefined): void {
    if (!open) return this.#refuse(connection);
    const served = this.#isStopping ? connection.close() : this.#begun(connection, open);
    if (!served) return this.#connections.delete(open);
    open.served = served;
    const end = () => {
      if (!open.upgraded) return this.#connections.delete(open);
      void open.upgraded.ended.then(() => this.#connections.delete(open));
    };
    // Rejects for a client that breaks off or sends no HTTP. Only a shutdown then frees the runtime's resource.
    served.finished.then(end, () => served.shutdown().then(end, end));
  }

  /** Closes the connection and returns undefined if its client is gone. */
  #begun(connection: Deno.TcpConn, open: OpenConnection): ServedConnection | undefined {
    const handler: Deno.ServeHandler = (request, info) => {
      if (!this.#connections.begin(open, info.completed)) return busy();
      if (request.headers.has("upgrade")) placeOf.set(request, this.#placeOf(open));
      return this.#handler(request, info);
    };
    try {
      connection.setNoDelay(true);
      return this.#serveConnection(connection, open, handler, this.#options.onError, () => {});
    } catch (error) {
      connection.close();
      if (isClientGone(error)) return undefined;
      this.#connections.delete(open);
      throw error;
    }
  }

  #placeOf(open: OpenConnection): SocketPlace {
    return {
      upgrade: (upgraded) => {
        open.upgraded = upgraded;
        if (this.#isStopping) upgraded.shutdown();
      },
      begin: (completed) => this.#connections.begin(open, completed),
    };
  }

  #refuse(connection: Deno.TcpConn): void {
    void sendAndClose(connection, refusal);
    const nowMs = performance.now();
    if (nowMs - this.#reportedAtMs < reportPauseMs) return;
    this.#reportedAtMs = nowMs;
    this.#options.onRefusal(this.#connections.members().length);
  }
}

/** The place of a WebSocket among the connections of its server. */
export interface SocketPlace {
  /** Notes that the request's connection is a WebSocket from now on. */
  upgrade(upgraded: Upgraded): void;
  /** Counts a call on it. Returns false if the server has too many. */
  begin(completed: Promise<unknown>): boolean;
}

const placeOf = new WeakMap<Request, SocketPlace>();

/** The place of a request that asks for a WebSocket; undefined where none can be served: on Deno Deploy. */
export function socketPlaceOf(request: Request): SocketPlace | undefined {
  return placeOf.get(request);
}

const busyBody = JSON.stringify({
  error: { message: "Too many connections. Retry later", type: "overloaded_error" },
});
const busyHeaders = { "content-type": "application/json", "retry-after": "2" } as const;

function busy(): Response {
  return new Response(busyBody, { status: 503, headers: busyHeaders });
}

/** The same as `busy`, for a connection that the runtime does not serve. */
const refusal = new TextEncoder().encode([
  "HTTP/1.1 503 Service Unavailable",
  ...Object.entries(busyHeaders).map(([name, value]) => `${name}: ${value}`),
  `content-length: ${busyBody.length}`,
  "connection: close",
  "",
  busyBody,
].join("\r\n"));

async function sendAndClose(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  try {
    await connection.write(bytes); // a new connection has room for it
  } catch {
    // the client is gone
  } finally {
    connection.close();
  }
}

/** `loadBalanced` is not public: isolates of one process then share the socket, as in `deno serve`. */
interface Address {
  readonly hostname: string;
  readonly port: number;
  readonly loadBalanced: boolean;
}

function listenOn(address: Address): Deno.TcpListener {
  return Deno.listen(address);
}

/** Throws like `Deno.listen` if the address cannot be listened on. */
export function assertFree(hostname: string, port: number, isShared: boolean): void {
  listenOn({ hostname, port, loadBalanced: isShared }).close();
}

/** True if the client was gone before its connection was accepted, which is no reason to pause. */
function isClientGone(error: unknown): boolean {
  const { NotConnected, ConnectionAborted, ConnectionReset, Interrupted } = Deno.errors;
  const errors = [NotConnected, ConnectionAborted, ConnectionReset, Interrupted];
  return errors.some((one) => error instanceof one);
}

/** Undefined if this runtime does not have it. */
function serverOfConnections(): ServeConnection | undefined {
  const deno = Deno as unknown as { // sound: each part may be absent
    readonly internal?: symbol;
    readonly [internal: symbol]: { readonly serveHttpOnConnection?: ServeConnection } | undefined;
  };
  return deno.internal && deno[deno.internal]?.serveHttpOnConnection;
}
