import { RawClient } from "../../raw_client.ts";
import { testKey } from "../gateway.ts";

interface RawCall {
  readonly path: string;
  readonly body: string;
  /** The number of body bytes to send; default: all. */
  readonly sentBytes?: number;
  readonly key?: string;
  /** Sends the body only when the gateway has read the head and asks for more. */
  readonly waitsToSend?: boolean;
}

/** Sends a request, or its beginning, on its own connection, which the test can close or reset. */
export async function rawCall(
  base: string,
  { path, body, sentBytes, key = testKey, waitsToSend = false }: RawCall,
): Promise<RawClient> {
  const url = new URL(base);
  const bytes = new TextEncoder().encode(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${url.host}`,
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${bytes.length}`,
    ...(waitsToSend ? ["expect: 100-continue"] : []),
  ];
  const client = await RawClient.to(url);
  await client.write(`${head.join("\r\n")}\r\n\r\n`);
  if (waitsToSend) await client.readUntil(" 100 ");
  await client.write(bytes.subarray(0, sentBytes));
  return client;
}
