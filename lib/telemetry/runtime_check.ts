import { logLine } from "./log.ts";

const check = { bodyBytes: 20_000, waitMs: 1_000 } as const;
/** A second attempt, because a busy machine may be slow once. */
const attempts = 2;

/**
 * A Deno version that does not detect disconnected clients, and the command that starts the gateway
 * on a working one.
 */
export interface RuntimeFault {
  readonly deno: string;
  readonly command: string;
}

/** Checks the Deno runtime; it counts as working until a check has failed. */
export class RuntimeCheck {
  #fault?: RuntimeFault;
  readonly #probe: () => Promise<boolean>;

  constructor(probe: () => Promise<boolean> = () => noticesDisconnects(check)) {
    this.#probe = probe;
  }

  /** Undefined if the runtime works. */
  get fault(): RuntimeFault | undefined {
    return this.#fault;
  }

  /**
   * Checks the runtime and logs a fault. A platform on which no port can be opened is not checked.
   */
  async run(): Promise<void> {
    try {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        if (await this.#probe()) return;
      }
    } catch {
      return;
    }
    this.#fault = { deno: Deno.version.deno, command: `npx -y deno@${testedDeno} task start` };
    logLine("warn", faultMessage, { ...this.#fault });
  }
}

const faultMessage =
  "This Deno version does not detect clients that disconnect: their calls continue and are charged. Restart with the command";

/**
 * The Deno version that the project is tested with; the README, CI and the container recipe name
 * it, too.
 */
export const testedDeno = "2.8.2";

export interface DisconnectCheckOptions {
  /** Length of the request's body; agents send 20 to 500 KB. */
  readonly bodyBytes: number;
  readonly waitMs: number;
}

/**
 * Returns true if this runtime's `Deno.serve` aborts `request.signal` when a client disconnects
 * before its answer. From 2.8.3 to 2.9.6, Deno does so only for requests that fit into its first
 * read of about 1 KB (denoland/deno#34446), so upstreams keep working for disconnected callers.
 * `Deno.serve` serves each connection with the code that the gateway uses (`lib/http/server.ts`).
 * Tests it over loopback, within milliseconds on a healthy runtime. Throws if the platform does not
 * allow listening.
 */
export async function noticesDisconnects(
  { bodyBytes, waitMs }: DisconnectCheckOptions,
): Promise<boolean> {
  const read = Promise.withResolvers<void>();
  const noticed = Promise.withResolvers<boolean>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    request.signal.addEventListener("abort", () => noticed.resolve(true));
    await request.bytes();
    read.resolve();
    await noticed.promise;
    return new Response();
  });
  const timer = setTimeout(() => noticed.resolve(false), waitMs);
  try {
    const client = await sentRequest(server.addr, bodyBytes);
    await Promise.race([read.promise, noticed.promise]);
    client.close();
    return await noticed.promise;
  } finally {
    clearTimeout(timer);
    await server.shutdown();
  }
}

async function sentRequest({ hostname, port }: Deno.NetAddr, bodyBytes: number) {
  const client = await Deno.connect({ hostname, port });
  const head = `POST / HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${bodyBytes}\r\n\r\n`;
  const bytes = new TextEncoder().encode(head + "x".repeat(bodyBytes));
  for (let sent = 0; sent < bytes.length;) sent += await client.write(bytes.subarray(sent));
  return client;
}
