/** A TCP server on the loopback that answers whatever is sent to it with the bytes of a test. */
export function startRawServer(answer: (write: (text: string) => Promise<void>) => Promise<void>): {
  readonly port: number;
} & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  void serve(listener, open, answer);
  return {
    port: listener.addr.port,
    [Symbol.dispose]: () => {
      listener.close();
      for (const connection of open) connection.close();
      open.clear();
    },
  };
}

async function serve(
  listener: Deno.TcpListener,
  open: Set<Deno.Conn>,
  answer: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  for await (const connection of listener) {
    open.add(connection);
    void answerOne(connection, answer).catch(() => {}).finally(() => {
      if (open.delete(connection)) connection.close();
    });
  }
}

async function answerOne(
  connection: Deno.Conn,
  answer: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (await connection.read(new Uint8Array(65_536)) === null) return; // only dialled
  await answer(async (text) => {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  });
}
