import { assertEquals } from "@std/assert";
import { type FormatName, GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { Call } from "../../lib/http/call.ts";
import { streamResponse } from "../../lib/http/respond.ts";
import type { Answer } from "../../lib/http/stream/answer.ts";
import { Converting } from "../../lib/http/stream/converting.ts";
import { Encoding } from "../../lib/http/stream/encoding.ts";
import { PassThrough } from "../../lib/http/stream/pass_through.ts";
import { sourceOf } from "../../lib/http/stream/source.ts";
import { ownStreamLimits, SseReader } from "../../lib/http/stream/sse.ts";
import { speeches } from "../e2e/interruptions/interrupted_wire.ts";
import { words } from "../e2e/load/sized_body.ts";
import { contextOf } from "../formats/codec_suite.ts";

/**
 * The end of a stream of responses that cannot be recorded: its error continues the numbers of the
 * sent events.
 */

const codec = codecs.responses;
const request = new Request("http://gateway.test/v1/responses", { method: "POST" });
const call: Call = {
  id: "req_1",
  request,
  url: new URL(request.url),
  codec,
  endpoint: codec.endpoints[0],
  wirePath: "/responses",
  startedAtMs: 0,
  startedAt: 0,
  ip: "",
  signal: request.signal,
};
const limits = {
  sseKeepAliveMs: 60_000,
  notesHeaderBytesMax: 1_024,
  answerTailMs: 1_000,
  readTimeoutMs: 60_000,
};

const transcoders = {
  responses: () =>
    new PassThrough(codec, { requestId: call.id, framing: "sse", limits: ownStreamLimits }),
  "chat-completions": () =>
    new Converting(
      codecs["chat-completions"].eventDecoder(),
      new Encoding(codec, { context: contextOf({}), framing: "sse" }),
      { limits: ownStreamLimits },
    ),
} as const satisfies Partial<Record<FormatName, unknown>>;

for (const spoken of ["responses", "chat-completions"] as const) {
  Deno.test(`a withheld end from ${spoken} continues the numbers of the events that went out`, async () => {
    const texts = words(20_000).match(/.{1,200}/gs) ?? [];
    let number = 0;
    const numbered = (event: string) =>
      event.replace(/"type":"response\.[\w.]+"/, (type) => `${type},"sequence_number":${number++}`);
    const { opening, delta, closing } = speeches[spoken];
    const events = [...opening, ...texts.map(delta), ...closing]
      .map((event) => spoken === "responses" ? numbered(event) : event);
    const answer: Answer = {
      type: "stream",
      kind: "bytes",
      framing: "sse",
      first: [],
      source: sourceOf(events.map((event) => new TextEncoder().encode(event))),
      transcoder: transcoders[spoken](),
    };
    const settle = () => Promise.reject(new GatewayError("store_unavailable", "The store is away"));
    const response = streamResponse(call, answer, settle, { notes: [], limits });
    const sent = new SseReader().push(new Uint8Array(await response.arrayBuffer()))
      .map(({ event }) => JSON.parse(event.data));
    assertEquals(sent.slice(-2).map(({ type }) => type), ["error", "response.failed"]);
    assertEquals(
      sent.map(({ sequence_number }) => sequence_number),
      sent.map((_, at) => at),
    );
  });
}
