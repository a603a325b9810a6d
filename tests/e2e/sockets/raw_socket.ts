/** A WebSocket written byte by byte: hostile clients send what no library would. */
export interface RawSocket extends Disposable {
  readonly connection: Deno.TcpConn;
  /** Sends one frame of text. */
  text(text: string): Promise<void>;
  /** Sends bytes as they are; false if the connection is over. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** The code with which the server closes; 1006 if it closes without one. Reads all that comes before. */
  closeCode(): Promise<number>;
}

/** Opens a WebSocket, and throws if it is refused. */
export async function rawSocket(base: string, key: string): Promise<RawSocket> {
  const { hostname, port } = new URL(base);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const write = async (bytes: Uint8Array) => {
    try {
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
      return true;
    } catch {
      return false;
    }
  };
  await write(new TextEncoder().encode(handshake(key)));
  const head = await readHead(connection);
  if (!head.startsWith("HTTP/1.1 101 ")) throw new Error(`refused: ${head}`);
  return {
    connection,
    write,
    text: async (text) => void await write(frame(new TextEncoder().encode(text))),
    closeCode: () => closeCodeOf(connection),
    [Symbol.dispose]: () => {
      try {
        connection.close();
      } catch {
        // it is closed
      }
    },
  };
}

function handshake(key: string): string {
  return [
    "GET /v1/responses HTTP/1.1",
    "host: 127.0.0.1",
    "connection: Upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    `authorization: Bearer ${key}`,
    "\r\n",
  ].join("\r\n");
}

async function readHead(connection: Deno.TcpConn): Promise<string> {
  let head = "";
  const byte = new Uint8Array(1);
  while (!head.endsWith("\r\n\r\n") && await connection.read(byte) !== null) {
    head += String.fromCharCode(byte[0]);
  }
  return head;
}

interface FrameOptions {
  readonly opcode?: number;
  readonly isFinal?: boolean;
  /** The length in the frame's head, if it is not the payload's. */
  readonly declared?: number;
}

/** A masked frame, whose mask of zeros leaves the payload as it is. */
export function frame(
  payload: Uint8Array,
  { opcode = 1, isFinal = true, declared = payload.length }: FrameOptions = {},
): Uint8Array {
  const bytes = new Uint8Array(14 + payload.length);
  bytes[0] = (isFinal ? 0x80 : 0) | opcode;
  bytes[1] = 0x80 | 127;
  new DataView(bytes.buffer).setBigUint64(2, BigInt(declared));
  bytes.set(payload, 14);
  return bytes;
}

async function closeCodeOf(connection: Deno.TcpConn): Promise<number> {
  const buffer = new Uint8Array(64 * 1024);
  let last = new Uint8Array();
  try {
    for (let count; (count = await connection.read(buffer)) !== null;) {
      last = new Uint8Array([...last, ...buffer.subarray(0, count)].slice(-256));
    }
  } catch {
    // reset
  }
  const at = last.lastIndexOf(0x88);
  return at < 0 ? 1006 : last[at + 2] * 256 + last[at + 3];
}
