/** An address at which somebody listens and nobody answers. */
export interface Unanswering extends AsyncDisposable {
  readonly base: string;
  /** The number of pending connection attempts; only on Linux. */
  waiting(): number;
}

const connectMs = 200;
const connectionsMax = 10_000;

/**
 * Fills the queue of a listener that accepts nothing, so that the kernel lets further attempts
 * wait. Any free port where none is named.
 */
export async function startUnanswering(at = 0): Promise<Unanswering> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: at });
  const { port } = listener.addr;
  const open: Deno.Conn[] = [];
  for (let next = await connected(port); next && open.length < connectionsMax;) {
    open.push(next);
    next = await connected(port);
  }
  return {
    base: `http://127.0.0.1:${port}`,
    waiting: () => waitingFor(port),
    [Symbol.asyncDispose]: () => {
      for (const connection of open) connection.close();
      listener.close();
      return Promise.resolve();
    },
  };
}

async function connected(port: number): Promise<Deno.Conn | undefined> {
  const signal = AbortSignal.timeout(connectMs);
  try {
    return await Deno.connect({ hostname: "127.0.0.1", port, signal });
  } catch {
    return undefined;
  }
}

/** Sockets in the state SYN-SENT towards a port. */
function waitingFor(port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")} 02 `;
  return Deno.readTextFileSync("/proc/net/tcp").split("\n")
    .filter((line) => line.includes(remote)).length;
}
