import { frameFlags, frameOf, FrameReader, frameTypes, prefaceBytes } from "./frame_reader.ts";

/** A frame of an unassigned type, which receivers ignore (RFC 9113, section 5.5). */
const ignoredFrame = frameOf({ type: 0x0b, flags: 0, streamId: 0 });
const settings = { type: frameTypes.settings, flags: 0, streamId: 0 };
/** `:status: 400` in HPACK's static table. */
const status400 = [0x8c];
const chunkBytes = 65_536;
/** Abandoned requests are retried within a third of a second. */
const refuseMs = 10_000;
/** Deno's KV client uses one connection; each has two sockets. Any local user can connect. */
const socketsMax = 64;
/** The pause after a failed accept, for example without free file descriptors. */
const acceptRetryMs = 50;

/**
 * A tunnel on the loopback between Deno's KV client and a KV server without TLS.
 *
 * The client sends a request of more than a kilobyte in two writes with Nagle's algorithm on
 * (denoland/deno#35581, measured 2026-11-23): the second one waits 40 ms for the delayed
 * acknowledgement of the first. The tunnel responds to each read with a frame that HTTP/2 ignores,
 * which carries the acknowledgement; likewise to the server.
 *
 * `end` makes the client give up its requests, which it would otherwise repeat for ever.
 */
export class KvTunnel {
  readonly url: string;
  readonly #target: Deno.ConnectOptions;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #sockets = new Set<Deno.TcpConn>();
  #hasEnded = false;
  #isClosed = false;

  constructor(url: string) {
    const { hostname, port, pathname } = new URL(url);
    this.#target = { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) };
    this.url = `http://127.0.0.1:${this.#listener.addr.port}${pathname}`;
    this.#listener.unref();
    void this.#accept();
  }

  /** Closes all connections; from now on each request is refused, without a retry. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#closeAll();
    Deno.unrefTimer(setTimeout(() => this.close(), refuseMs));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#hasEnded = true;
    this.#listener.close();
    this.#closeAll();
  }

  async #accept(): Promise<void> {
    while (!this.#isClosed) {
      try {
        const client = await this.#listener.accept();
        void this.#serve(client);
      } catch {
        if (!this.#isClosed) await pause(acceptRetryMs);
      }
    }
  }

  /** Never rejects: an error ends this connection only. */
  async #serve(client: Deno.TcpConn): Promise<void> {
    if (this.#isClosed || this.#sockets.size >= socketsMax) return client.close();
    this.#sockets.add(client);
    try {
      client.setNoDelay(true);
      await (this.#hasEnded ? this.#refuse(client) : this.#join(client));
    } catch {
      // the client connects again
    } finally {
      this.#close(client);
    }
  }

  async #join(client: Deno.TcpConn): Promise<void> {
    const server = await Deno.connect(this.#target);
    if (this.#hasEnded) return server.close();
    this.#sockets.add(server);
    try {
      server.setNoDelay(true);
      const [up, down] = [endOf(server, prefaceBytes), endOf(client, 0)];
      await Promise.race([pass(client, up, down), pass(server, down, up)]);
    } finally {
      this.#close(server);
    }
  }

  /** Responds to each request with 400, after which the client does not repeat it. */
  async #refuse(client: Deno.TcpConn): Promise<void> {
    const { send } = endOf(client, 0);
    const reader = new FrameReader(prefaceBytes, ({ type, flags, streamId }) => {
      if (type === frameTypes.settings && !(flags & frameFlags.ack)) {
        void send(frameOf({ ...settings, flags: frameFlags.ack })).catch(() => {});
      }
      if (type !== frameTypes.headers) return;
      const end = frameFlags.endStream | frameFlags.endHeaders;
      void send(frameOf({ type, flags: end, streamId }, status400)).catch(() => {});
    });
    await send(frameOf(settings));
    const buffer = new Uint8Array(chunkBytes);
    for (let count = await client.read(buffer); count !== null; count = await client.read(buffer)) {
      reader.read(buffer.subarray(0, count));
    }
  }

  #closeAll(): void {
    for (const socket of this.#sockets) this.#close(socket);
  }

  #close(socket: Deno.TcpConn): void {
    if (this.#sockets.delete(socket)) socket.close();
  }
}

/** The sending side of a socket, and the frames that were sent on it. */
interface End {
  readonly sent: FrameReader;
  /** Sends whole chunks, one after the other. */
  readonly send: (bytes: Uint8Array) => Promise<void>;
}

function endOf(socket: Deno.TcpConn, skip: number): End {
  let last = Promise.resolve();
  return {
    sent: new FrameReader(skip),
    send: (bytes) => last = last.then(() => writeAll(socket, bytes)),
  };
}

/** Passes all bytes on to `to`, and acknowledges each read on `back`. */
async function pass(from: Deno.TcpConn, to: End, back: End): Promise<void> {
  const buffer = new Uint8Array(chunkBytes);
  for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
    const bytes = buffer.subarray(0, count);
    if (back.sent.isBetweenFrames) back.send(ignoredFrame).catch(() => {}); // `pass` fails on that side
    to.sent.read(bytes);
    await to.send(bytes);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, ms)));
}

async function writeAll(socket: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await socket.write(rest));
}
