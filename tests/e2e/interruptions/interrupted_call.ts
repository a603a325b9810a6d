import { assert, assertEquals } from "@std/assert";
import { type Delivered, DeliveryReader, type FormatName } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { SseReader } from "../../../lib/http/stream/sse.ts";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { countRequestTokens } from "../../../lib/tokens/mod.ts";
import { until } from "../../waiting.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";
import { ofSize } from "../load/sized_body.ts";
import { speeches } from "./interrupted_wire.ts";

/** Calls through a gateway whose upstream speaks one format, and their rows in the log. */

export const prompt = "Tell me a long story about a fox, a dog and a fence.";

const sse = { headers: { "content-type": "text/event-stream" } };
export const streaming = (texts: readonly string[], closes: boolean) =>
  new Response(pieces(texts, { closes }), sse);

/** A gateway before one upstream of a format, which answers as the test says. */
export async function withUpstream(
  format: FormatName,
  answer: () => Response | Promise<Response>,
  run: (gateway: TestGateway, upstream: ReturnType<typeof startUpstream>) => Promise<void>,
  config: { readonly timeouts?: Record<string, number>; readonly limits?: unknown } = {},
): Promise<void> {
  await using upstream = startUpstream(answer);
  const { timeouts, limits } = config;
  await using gateway = await startGateway({
    ...(limits !== undefined && { limits }),
    ...oneUpstream({ [format]: upstream.base }, {
      apiKeys: ["up-secret"],
      ...(timeouts && { timeouts }),
    }),
  });
  await run(gateway, upstream);
}

export function post(
  gateway: TestGateway,
  format: FormatName,
  stream: boolean,
  { bytes = 0, ...init }: RequestInit & { readonly bytes?: number } = {},
): Promise<Response> {
  const { path, wholePath, request } = speeches[format];
  return fetch(gateway.base + (stream ? path : wholePath), {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(ofSize(format, request(prompt, stream), bytes)),
    ...init,
  });
}

/** The tokens of the prompt, as they are counted where nobody states them. */
export function promptTokens(format: FormatName, bytes = 0): number {
  const wire = { search: {}, headers: {}, path: `/models/m:generateContent` };
  const body = JSON.parse(
    JSON.stringify(ofSize(format, speeches[format].request(prompt, true), bytes)),
  );
  return countRequestTokens(codecs[format].decodeRequest({ ...wire, body }));
}

/** The readable part of the response that a caller received. */
export function receivedBy(format: FormatName, body: Uint8Array): Delivered {
  const decoder = codecs[format].eventDecoder();
  const reader = new DeliveryReader();
  for (const { event } of new SseReader().push(body)) {
    for (const canonical of event ? decoder.push(event) : []) reader.push(canonical);
  }
  reader.sent();
  return reader.delivered;
}

export async function bytesOf(response: Response): Promise<Uint8Array> {
  return new TextEncoder().encode(await textSoFar(response));
}

export async function rowsOf({ parts }: TestGateway): Promise<readonly RequestLogRow[]> {
  return (await listRequestLogs(parts.store, { limit: 10 })).rows;
}

/** The row of the only call, which may still be on its way. */
export async function onlyRow(gateway: TestGateway): Promise<RequestLogRow> {
  await until(async () => (await rowsOf(gateway)).length > 0, "no row was written");
  const rows = await rowsOf(gateway);
  assertEquals(rows.length, 1);
  return rows[0];
}

/** Reads until the caller has this text. */
export async function readUntil(response: Response, format: FormatName, text: string) {
  const reader = response.body?.getReader();
  assert(reader);
  const got: number[] = [];
  while (receivedBy(format, new Uint8Array(got)).answer.text() !== text) {
    const next = await reader.read();
    assert(!next.done, "the answer ended before its time");
    got.push(...next.value);
  }
  return reader;
}

/** A stream whose second part follows when the test says so. */
export function inTwoParts(
  first: readonly string[],
  go: Promise<void>,
  second: readonly string[],
): Response {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = async () => {
    for (const text of first) await writer.write(encoder.encode(text));
    await go;
    for (const text of second) await writer.write(encoder.encode(text));
    await writer.close();
  };
  write().catch(() => {}); // nobody listens any more
  return new Response(readable, sse);
}
