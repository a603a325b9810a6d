import { RawClient } from "../../raw_client.ts";
import { later, withServer } from "./server.ts";

const half = "x".repeat(500_000);
const betweenMs = 100;

/** Returns true if a body is read and answered although its second half follows `shutdown()`. */
export function readsUploadAtShutdown(): Promise<boolean> {
  const arrived = Promise.withResolvers<void>();
  return withServer(async (request) => {
    arrived.resolve();
    const { length } = await request.bytes();
    return new Response(`length ${length};`);
  }, async (address, server) => {
    const client = await RawClient.to(address);
    await client.write(
      `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${2 * half.length}\r\n\r\n${half}`,
    );
    await arrived.promise;
    void server.shutdown();
    await later(betweenMs);
    await client.write(half);
    await client.readUntil(`length ${2 * half.length};`);
    client.close();
    return true;
  });
}

/** Returns true if a stream that started before `shutdown()` reaches its end. */
export function endsStreamAtShutdown(): Promise<boolean> {
  const text = new TextEncoder();
  return withServer(async (request) => {
    await request.bytes();
    return new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(text.encode("first;"));
          await later(3 * betweenMs);
          controller.enqueue(text.encode("last;"));
          controller.close();
        },
      }),
    );
  }, async (address, server) => {
    const client = await RawClient.to(address);
    await client.write(
      `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${half.length}\r\n\r\n${half}`,
    );
    await client.readUntil("first;");
    void server.shutdown();
    await client.readUntil("last;");
    client.close();
    return true;
  });
}
