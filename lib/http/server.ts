/** The address of a server, and its answer to a request whose handler throws. */
interface ServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly onError: (thrown: unknown) => Response;
  /** Called once when connections can no longer be accepted, such as without free file descriptors. */
  readonly onUnaccepted: (error: unknown) => void;
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
  signal: undefined,
  handler: Deno.ServeHandler,
  onError: ServerOptions["onError"],
  onListen: () => void,
) => Connection;

type Connection = Pick<Deno.HttpServer, "finished" | "shutdown">;

/** A failure to accept lasts until another connection ends. */
const acceptPauseMs = 100;

/** Listens and serves. Throws like `Deno.listen`. */
export function serveHttp(options: ServerOptions, handler: Deno.ServeHandler): Server {
  const serveConnection = serverOfConnections();
  const { hostname, port, onError, isShared = false, isOnDeploy = false } = options;
  if (serveConnection && (isShared || !isOnDeploy)) {
    return new UndelayedServer(options, handler, serveConnection);
  }
  return Deno.serve({ hostname, port, onError, onListen() {} }, handler);
}

/**
 * Serves HTTP on TCP connections without Nagle's algorithm. `Deno.serve` leaves it on (Deno 2.8.2):
 * each part of a stream then waits until the client has confirmed the part before, for which
 * clients take up to 40 ms or, on other systems than Linux, 200 ms. See
 * `docs/decisions/0047-sending-at-once.md`.
 */
class UndelayedServer implements Server {
  readonly #options: ServerOptions;
  readonly #handler: Deno.ServeHandler;
  readonly #serveConnection: ServeConnection;
  readonly #listener: Deno.TcpListener;
  readonly #connections = new Set<Connection>();
  #isStopping = false;

  constructor(
    options: ServerOptions,
    handler: Deno.ServeHandler,
    serveConnection: ServeConnection,
  ) {
    const { hostname, port, isShared: loadBalanced = false } = options;
    this.#options = options;
    this.#handler = handler;
    this.#serveConnection = serveConnection;
    const address = { hostname, port, loadBalanced }; // the last is for `deno serve`, not public
    this.#listener = Deno.listen(address);
    void this.#acceptAll();
  }

  get addr(): Deno.NetAddr {
    return this.#listener.addr;
  }

  async shutdown(): Promise<void> {
    if (!this.#isStopping) this.#listener.close();
    this.#isStopping = true;
    await Promise.all([...this.#connections].map((connection) => connection.shutdown()));
  }

  async #acceptAll(): Promise<void> {
    for (let isFailing = false; !this.#isStopping;) {
      try {
        this.#serve(await this.#listener.accept());
        isFailing = false;
      } catch (error) {
        if (this.#isStopping) return;
        if (isOfClient(error)) continue;
        if (!isFailing) this.#options.onUnaccepted(error);
        isFailing = true;
        await new Promise((resolve) => setTimeout(resolve, acceptPauseMs));
      }
    }
  }

  #serve(connection: Deno.TcpConn): void {
    if (this.#isStopping) return connection.close();
    const { onError } = this.#options;
    try {
      connection.setNoDelay(true);
    } catch {
      return connection.close(); // the client is gone
    }
    const served = this.#serveConnection(connection, undefined, this.#handler, onError, () => {});
    this.#connections.add(served);
    const end = () => void this.#connections.delete(served);
    // Rejects for a client that breaks off or sends no HTTP: only a shutdown frees its resource.
    served.finished.then(end, () => served.shutdown().then(end, end));
  }
}

/** True if a client was gone before its connection was accepted. */
function isOfClient(error: unknown): boolean {
  const { NotConnected, ConnectionAborted, ConnectionReset, Interrupted } = Deno.errors;
  const errors = [NotConnected, ConnectionAborted, ConnectionReset, Interrupted];
  return errors.some((one) => error instanceof one);
}

/** Absent if a later runtime has moved it. */
function serverOfConnections(): ServeConnection | undefined {
  const deno = Deno as unknown as {
    readonly internal: symbol;
    readonly [internal: symbol]: { readonly serveHttpOnConnection?: ServeConnection };
  };
  return deno[deno.internal].serveHttpOnConnection;
}
