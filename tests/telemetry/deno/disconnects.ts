import type { DisconnectCheckOptions } from "../../../lib/telemetry/runtime_check.ts";
import { RawClient } from "../../raw_client.ts";
import { withServer } from "./server.ts";

/** Returns true if reading a body ends when the client disconnects during the upload. */
export function noticesUploadDisconnect(bodyBytes: number): Promise<boolean> {
  const arrived = Promise.withResolvers<void>();
  const noticed = Promise.withResolvers<boolean>();
  return withServer(async (request) => {
    arrived.resolve();
    await request.bytes().then(() => noticed.resolve(false), () => noticed.resolve(true));
    return new Response();
  }, async (address) => {
    const client = await RawClient.to(address);
    await client.write(`${headOf(bodyBytes)}${"x".repeat(bodyBytes / 2)}`);
    await arrived.promise;
    client.close();
    return await noticed.promise;
  });
}

/** Returns true if the signal or the body's `cancel` reports a disconnect from a silent stream. */
export async function noticesStreamDisconnect(
  { bodyBytes, waitMs }: DisconnectCheckOptions,
): Promise<boolean> {
  const answered = Promise.withResolvers<void>();
  const noticed = Promise.withResolvers<boolean>();
  const notice = () => noticed.resolve(true);
  const timer = setTimeout(() => noticed.resolve(false), waitMs);
  const found = await withServer(async (request) => {
    request.signal.addEventListener("abort", notice);
    await request.bytes();
    answered.resolve();
    return new Response(new ReadableStream({ cancel: notice }));
  }, async (address) => {
    const client = await RawClient.to(address);
    await client.write(headOf(bodyBytes) + "x".repeat(bodyBytes));
    await answered.promise;
    client.close();
    return await noticed.promise;
  });
  clearTimeout(timer);
  return found;
}

function headOf(bodyBytes: number): string {
  return `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${bodyBytes}\r\n\r\n`;
}
