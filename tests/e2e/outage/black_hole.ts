import { later } from "../../waiting.ts";

/** A TCP proxy that can stop forwarding, as a network does: connections stay open and silent. */
export interface BlackHole extends AsyncDisposable {
  readonly url: string;
  swallow(): void;
  /** Forwards again. The connections of before stay dead, as after a changed route. */
  forward(): void;
  /** Delays each answer of the server by so long. */
  delay(ms: number): void;
  /** Sends new connections to another port of this machine, as a moved address does. */
  moveTo(port: number): void;
}

export function startBlackHole(target: string): BlackHole {
  const { hostname, port } = new URL(target);
  let targetPort = Number(port);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const sockets = new Set<Deno.TcpConn>();
  let isOpen = true;
  let opened = 0;
  let delayMs = 0;
  const pass = async (from: Deno.TcpConn, to: Deno.TcpConn, epoch: number, isAnswer: boolean) => {
    const buffer = new Uint8Array(65_536);
    for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
      if (isAnswer && delayMs > 0) await later(delayMs);
      if (!isOpen || epoch !== opened) return; // swallowed
      for (let rest = buffer.subarray(0, read); rest.length > 0;) {
        rest = rest.subarray(await to.write(rest));
      }
    }
    close(to);
  };
  const close = (socket: Deno.TcpConn) => {
    if (sockets.delete(socket)) socket.close();
  };
  const join = async (caller: Deno.TcpConn) => {
    sockets.add(caller);
    if (!isOpen) return; // accepted by the kernel, answered by nobody
    const server = await Deno.connect({ hostname, port: targetPort });
    sockets.add(server);
    pass(caller, server, opened, false).catch(() => close(server));
    pass(server, caller, opened, true).catch(() => close(caller));
  };
  const accepting = (async () => {
    for await (const caller of listener) join(caller).catch(() => close(caller));
  })();
  return {
    url: target.replace(`${hostname}:${port}`, `127.0.0.1:${listener.addr.port}`),
    swallow: () => {
      isOpen = false;
      opened++;
    },
    forward: () => void (isOpen = true),
    delay: (ms) => void (delayMs = ms),
    moveTo: (port) => void (targetPort = port),
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await accepting;
      for (const socket of [...sockets]) close(socket);
    },
  };
}
