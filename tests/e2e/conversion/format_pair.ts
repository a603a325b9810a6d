import { assertEquals } from "@std/assert";
import {
  type CanonicalRequest,
  type CanonicalResponse,
  collect,
  eventsOf,
  type FormatName,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce, type EncoderContext } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { SseReader, sseText } from "../../../lib/http/stream/sse.ts";
import { bareRequest } from "../../formats/requests/bare_request.ts";
import { pieces, type Seen } from "../fake_upstream.ts";
import type { TestGateway } from "../gateway.ts";
import { streamValidators } from "../../formats/validators/mod.ts";

/** A caller of one format before an upstream of another. */

export const plainRequest: CanonicalRequest = {
  ...bareRequest,
  stream: false,
  turns: [{ role: "user", parts: [{ type: "text", text: "How do cats sleep?" }] }],
  limits: { maxOutputTokens: 20_000 },
  streamOptions: { includeUsage: true },
};

const context: EncoderContext = {
  requestId: "req_up",
  model: "up",
  createdAtMs: 0,
  request: plainRequest,
};

/** The events by which an upstream of the format streams its whole answer. */
export function streamOf(format: FormatName, answer: JsonObject): ServerSentEvent[] {
  const codec = codecs[format];
  const encoder = codec.eventEncoder(context);
  return [...eventsOf(codec.decodeResponse(answer))].flatMap((event) => encoder.push(event));
}

/**
 * An upstream's response: the whole answer, or its stream if the call asks for one, closed after so
 * many events.
 */
export function answered(
  format: FormatName,
  answer: JsonObject,
  { path, body }: Seen,
  eventsMax = Infinity,
): Response {
  const streamed = path.includes(":streamGenerateContent") || JSON.parse(body).stream === true;
  if (!streamed) return Response.json(answer);
  const events = streamOf(format, answer).slice(0, eventsMax);
  return new Response(pieces(events.map(sseText)), {
    headers: { "content-type": "text/event-stream" },
  });
}

export function ask(
  { base, key }: TestGateway,
  format: FormatName,
  request: CanonicalRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { basePaths: [prefix] } = codecs[format];
  const { wire } = encodeAtOnce(codecs[format], request);
  const search = new URLSearchParams(wire.search).toString();
  return fetch(`${base}${prefix}${wire.path}${search && `?${search}`}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...wire.headers,
      ...headers,
    },
    body: JSON.stringify(wire.body),
  });
}

export interface Read {
  readonly response: CanonicalResponse;
  /** Everything on the wire. */
  readonly text: string;
  /** All text of the answer. */
  readonly said: string;
}

export async function readWhole(format: FormatName, answer: Response): Promise<Read> {
  const text = await answer.text();
  assertEquals(answer.status, 200, text.slice(0, 500));
  return readOf(codecs[format].decodeResponse(JSON.parse(text)), text);
}

/** Checks the stream against its protocol, too. */
export async function readStream(format: FormatName, answer: Response): Promise<Read> {
  const text = await answer.text();
  assertEquals(answer.status, 200, text.slice(0, 500));
  const events = eventsIn(text);
  const validator = streamValidators[format]();
  for (const event of events) validator.push(event);
  assertEquals(validator.end(), []);
  const decoder = codecs[format].eventDecoder();
  const decoded = [...events.flatMap((event) => decoder.push(event)), ...decoder.end()];
  return readOf(collect(decoded), text);
}

export function eventsIn(text: string): ServerSentEvent[] {
  const reader = new SseReader({ eventBytesMax: Infinity });
  const frames = [...reader.push(new TextEncoder().encode(text)), ...reader.end()];
  return frames.map(({ event }) => event);
}

function readOf(response: CanonicalResponse, text: string): Read {
  const said = response.alternatives[0].parts.map((part) => part.type === "text" ? part.text : "")
    .join("");
  return { response, text, said };
}
