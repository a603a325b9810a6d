import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { NodeWebSocket } from "../http/node_web_socket.ts";
import type { RawConnection } from "../http/raw_upgrade.ts";

type Accept = (
  request: { readonly method: string; readonly headers: Readonly<Record<string, string>> },
  stream: Duplex,
  head: Buffer,
  opened: (socket: NodeWebSocket) => void,
) => void;

/** Opens WebSockets over connections whose requests were checked: `ws` itself cannot refuse one. */
export function createOpener(messageBytesMax: number) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    closeTimeout: 5_000,
  });
  const accept: Accept = server.handleUpgrade.bind(server);
  return (
    connection: RawConnection,
    headers: Readonly<Record<string, string>>,
    opened: (socket: NodeWebSocket) => void,
  ) => accept({ method: "GET", headers }, streamOf(connection), Buffer.alloc(0), opened);
}

const readBytes = 64 * 1024;

/** A connection as a stream of Node.js. Reads only on request, so that a sender can be slowed. */
function streamOf(connection: RawConnection): Duplex {
  const buffer = new Uint8Array(readBytes);
  return new Duplex({
    allowHalfOpen: false,
    read() {
      connection.read(buffer).then(
        (count) => this.push(count === null ? null : Buffer.from(buffer.slice(0, count).buffer)),
        (error) => this.destroy(error),
      );
    },
    write(chunk: Uint8Array, _encoding, done) {
      writeAll(connection, chunk).then(() => done(), done);
    },
    destroy(error, done) {
      try {
        connection.close();
      } catch {
        // it was closed before
      }
      done(error);
    },
  });
}

async function writeAll(connection: RawConnection, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
