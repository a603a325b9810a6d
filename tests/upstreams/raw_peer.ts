const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One accepted connection, as a test's upstream sees it. */
export class Peer {
  readonly connection: Deno.Conn;
  #unread = new Uint8Array();

  constructor(connection: Deno.Conn) {
    this.connection = connection;
  }

  /** The head of the next request; undefined at the client's end. */
  async readHead(): Promise<string | undefined> {
    for (;;) {
      const text = decoder.decode(this.#unread);
      const end = text.indexOf("\r\n\r\n");
      if (end >= 0) {
        this.#unread = this.#unread.slice(end + 4);
        return text.slice(0, end);
      }
      if (!await this.#fill()) return undefined;
    }
  }

  /** The next request with its whole body. */
  async readRequest(): Promise<{ head: string; body: Uint8Array } | undefined> {
    const head = await this.readHead();
    if (head === undefined) return undefined;
    const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
    const body = new Uint8Array(length);
    for (let have = 0; have < length;) {
      if (this.#unread.length === 0 && !await this.#fill()) return undefined;
      const part = this.#unread.subarray(0, length - have);
      body.set(part, have);
      have += part.length;
      this.#unread = this.#unread.slice(part.length);
    }
    return { head, body };
  }

  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? encoder.encode(data) : data;
    for (let at = 0; at < bytes.length;) at += await this.connection.write(bytes.subarray(at));
  }

  /** Resolves when the client has ended the connection. */
  async left(): Promise<void> {
    while (await this.#fill()) this.#unread = new Uint8Array();
  }

  async #fill(): Promise<boolean> {
    const bytes = new Uint8Array(65_536);
    const count = await this.connection.read(bytes).catch(() => null);
    if (count === null) return false;
    const all = new Uint8Array(this.#unread.length + count);
    all.set(this.#unread);
    all.set(bytes.subarray(0, count), this.#unread.length);
    this.#unread = all;
    return true;
  }
}

export interface RawPeer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The number of accepted connections. */
  readonly count: () => number;
}

interface RawPeerOptions {
  /** Absent: one on the loopback. */
  readonly listener?: Deno.Listener;
  readonly tls?: Deno.TlsCertifiedKeyPem & { readonly alpnProtocols?: string[] };
}

/** Serves each connection with `serve`, which is given its number from 0, and then closes it. */
export function startRawPeer(
  serve: (peer: Peer, number: number) => Promise<void>,
  { tls, listener = listenOn(tls) }: RawPeerOptions = {},
): RawPeer {
  const { port } = listener.addr as Deno.NetAddr;
  const open = new Map<Deno.Conn, Promise<void>>();
  let count = 0;
  let isDisposed = false;
  const one = async (connection: Deno.Conn, number: number) => {
    await serve(new Peer(connection), number).catch(() => {});
    if (open.delete(connection)) connection.close();
  };
  const accepting = (async () => {
    for (;;) {
      const connection = await listener.accept().catch(() => undefined);
      if (!connection) {
        if (isDisposed) return;
        continue; // a failed handshake
      }
      open.set(connection, Promise.resolve());
      open.set(connection, one(connection, count++));
    }
  })();
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}/v1`,
    port,
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      isDisposed = true;
      listener.close();
      const ending = [...open];
      open.clear();
      for (const [connection] of ending) connection.close();
      await Promise.all([accepting, ...ending.map(([, served]) => served)]);
    },
  };
}

function listenOn(tls: RawPeerOptions["tls"]): Deno.Listener {
  const address = { hostname: "127.0.0.1", port: 0 };
  return tls ? Deno.listenTls({ ...address, ...tls }) : Deno.listen(address);
}

/** Answers every request on a connection with the same text. */
export function always(answer: string): (peer: Peer) => Promise<void> {
  return async (peer) => {
    while (await peer.readRequest()) await peer.write(answer);
  };
}
