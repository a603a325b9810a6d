const shutdownMs = 500;

/** Runs a server on loopback while `use` asks it; a server that does not end is left behind. */
export async function withServer<T>(
  handler: Deno.ServeHandler<Deno.NetAddr>,
  use: (address: Deno.NetAddr, server: Deno.HttpServer<Deno.NetAddr>) => Promise<T>,
): Promise<T> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
  try {
    return await use(server.addr, server);
  } finally {
    await Promise.race([server.shutdown(), later(shutdownMs)]);
  }
}

export function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
