import { limitsSchema } from "../../lib/config/limits.ts";
import type { ConnectionLimits, Networks } from "../../lib/http/connections.ts";
import { serveHttp, type Server } from "../../lib/http/server.ts";

export const get = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** A server on a free port of the loopback, which is stopped at the end. */
export async function withServer(
  handler: Deno.ServeHandler,
  use: (server: Server) => Promise<void>,
  { limits = {}, ...options }: {
    readonly isOnDeploy?: boolean;
    readonly limits?: Partial<ConnectionLimits>;
    readonly networks?: Networks;
  } = {},
): Promise<void> {
  const server = serveHttp({
    hostname: "127.0.0.1",
    port: 0,
    onError: (thrown) => new Response(`failed: ${thrown}`, { status: 500 }),
    onAcceptFailure: (error) => console.error(error),
    onRefusal: () => {},
    limits: limitsSchema.parse(limits),
    networks: { of: (address) => address, mayBeProxy: () => false },
    ...options,
  }, handler);
  try {
    await use(server);
  } finally {
    await server.shutdown();
  }
}
