import { RawClient } from "../../raw_client.ts";
import { withServer } from "./server.ts";

const body = "x".repeat(20_000);
const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n`;
const waitMs = 2_000;

/** An answer that ends in the length of the request's body, so that it can be waited for. */
async function echoLength(request: Request): Promise<Response> {
  const { length } = await request.bytes();
  return new Response(`length ${length};`);
}

/** Returns true if a second request on a connection is answered. */
export function keepsConnection(): Promise<boolean> {
  return withServer(echoLength, async (address) => {
    const client = await RawClient.to(address);
    for (let call = 0; call < 2; call++) {
      await client.write(`${post}\r\n${body}`);
      await client.readUntil(`length ${body.length};`);
    }
    client.close();
    return true;
  });
}

/** Returns true if the server honors `connection: close`. */
export function closesConnection(): Promise<boolean> {
  return withServer(echoLength, async (address) => {
    const client = await RawClient.to(address);
    await client.write(`${post}connection: close\r\n\r\n${body}`);
    await client.readUntil(`length ${body.length};`);
    return await client.isClosedByServer(waitMs);
  });
}

/** Returns true if a chunked upload arrives completely. */
export function readsChunkedUpload(): Promise<boolean> {
  return withServer(echoLength, async (address) => {
    const client = await RawClient.to(address);
    await client.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
    for (let sent = 0; sent < 50; sent++) await client.write(chunk);
    await client.write("0\r\n\r\n");
    await client.readUntil(`length ${50 * body.length};`);
    client.close();
    return true;
  });
}
