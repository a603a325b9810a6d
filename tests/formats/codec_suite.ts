import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  type CanonicalResponse,
  collect,
  eventsOf,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Part,
} from "../../lib/canonical/mod.ts";
import { type Codec, encodeAtOnce } from "../../lib/formats/codec.ts";
import type { ServerSentEvent, WireRequest } from "../../lib/formats/wire.ts";
import { SseReader, sseText } from "../../lib/http/stream/sse.ts";
import { type Recording, recordingsOf } from "./recorded.ts";
import { bareRequest } from "./requests/bare_request.ts";
import { streamValidators } from "./validators/mod.ts";

/** The differences between formats that the suite needs. */
export interface CodecSuiteOptions {
  /** The wire request of a recorded body. */
  readonly wireOf: (body: JsonObject, stream: boolean) => WireRequest;
  /** The server-sent events that carried a recorded stream, its end marker included. */
  readonly eventsOf: (stream: readonly JsonObject[]) => readonly ServerSentEvent[];
  /** Normalises spellings that the format defines as equal, such as `"x"` and `[{type: "text", text: "x"}]`. */
  readonly normalizeRequest: (body: JsonObject) => JsonObject;
  readonly normalizeResponse: (body: JsonObject) => JsonObject;
  /** The whole answer that a separate accumulator builds from the recorded stream, written without the codec. */
  readonly accumulate: (stream: readonly JsonObject[]) => JsonObject;
  /** Bodies that must be refused, each with the field that the message must name. */
  readonly malformed: readonly {
    readonly name: string;
    readonly body: JsonValue;
    readonly names: string;
  }[];
  /** `CASE/FILE` → reason, for recordings whose content differs from their name. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** All requirements for a codec in its own format. Each format's test calls this and adds its quirks. */
export function codecSuite(codec: Codec, options: CodecSuiteOptions): void {
  for (const recording of recordingsOf(codec.name)) suiteOfRecording(codec, options, recording);
  for (const { name, body, names } of options.malformed) {
    Deno.test(`${codec.name} decodeRequest refuses ${name}`, () => {
      const error = thrownBy(() => codec.decodeRequest(options.wireOf(body as JsonObject, false)));
      assert(error instanceof GatewayError, `not a GatewayError: ${error}`);
      assertEquals(error.status, 400);
      assert(error.message.includes(names), `"${error.message}" does not name ${names}`);
    });
  }
}

function suiteOfRecording(
  codec: Codec,
  options: CodecSuiteOptions,
  { name, files }: Recording,
): void {
  for (const [file, content] of Object.entries(files)) {
    const skipped = options.skip?.[`${name}/${file}`];
    const test = (what: string, run: () => void) =>
      Deno.test({ name: `${codec.name} ${name}/${file}: ${what}`, ignore: !!skipped, fn: run });
    if (file.endsWith("request")) requestTests(codec, options, content as JsonObject, test);
    else if (file.endsWith("response-streaming")) {
      streamTests(codec, options, content as JsonObject[], test);
    } else if (file.endsWith("response")) {
      responseTests(codec, options, content as JsonObject, test);
    }
  }
}

type Test = (what: string, run: () => void) => void;

function requestTests(
  codec: Codec,
  options: CodecSuiteOptions,
  body: JsonObject,
  test: Test,
): void {
  test("decode → encode keeps the meaning", () => {
    const { wire, notes } = encodeAtOnce(codec, codec.decodeRequest(options.wireOf(body, false)));
    assertEquals(notes, [], "a format loses nothing in itself");
    assertEquals(options.normalizeRequest(plain(wire.body)), options.normalizeRequest(body));
  });
  test("encode → decode gives the same request", () => {
    const request = codec.decodeRequest(options.wireOf(body, false));
    assertEquals(plain(codec.decodeRequest(encodeAtOnce(codec, request).wire)), plain(request));
  });
}

function responseTests(
  codec: Codec,
  options: CodecSuiteOptions,
  body: JsonObject,
  test: Test,
): void {
  test("decode → encode keeps the meaning", () => {
    const encoded = codec.encodeResponse(codec.decodeResponse(body), contextOf(body));
    assertEquals(options.normalizeResponse(plain(encoded)), options.normalizeResponse(body));
  });
  test("the fold of its events is the whole answer", () => {
    const response = codec.decodeResponse(body);
    assertEquals(plain(collect(eventsOf(response))), plain(response));
  });
  test("encoded as a stream it decodes to the same answer", () => {
    const response = codec.decodeResponse(body);
    const events = encoded(codec, eventsOf(response), contextOf(body));
    assertValid(codec, events);
    assertSameAnswer(collect(decoded(codec, events)), response);
  });
  test("the usage reader reads its usage", () => {
    assertEquals(codec.usageReader.usage(body), codec.decodeResponse(body).usage);
  });
}

function streamTests(
  codec: Codec,
  options: CodecSuiteOptions,
  stream: JsonObject[],
  test: Test,
): void {
  const events = options.eventsOf(stream);
  test("keeps its dialect's protocol", () => assertValid(codec, events));
  test("folds to what its own accumulator gives", () => {
    assertSameAnswer(
      collect(decoded(codec, events)),
      codec.decodeResponse(options.accumulate(stream)),
    );
  });
  test("keeps the laws of canonical events", () => assertLaws(decoded(codec, events)));
  test("decode → encode → decode gives the same answer", () => {
    const canonical = decoded(codec, events);
    const again = encoded(codec, canonical, contextOf({}));
    assertValid(codec, again);
    assertSameAnswer(collect(decoded(codec, again)), collect(canonical));
  });
  test("cut at every byte it decodes the same", () => {
    const whole = plain(decoded(codec, events));
    const bytes = new TextEncoder().encode(events.slice(0, 40).map(sseText).join(""));
    const reader = new SseReader();
    const read: ServerSentEvent[] = [];
    for (let at = 0; at < bytes.length; at++) {
      for (const frame of reader.push(bytes.subarray(at, at + 1))) {
        if (frame.event) read.push(frame.event);
      }
    }
    assertEquals(plain(decoded(codec, [...read, ...events.slice(40)])), whole);
  });
  test("the usage reader reads its usage and its outcome", () => {
    const usageReader = codec.usageReader.stream();
    const verdicts = events.map((event) => usageReader.push(event));
    assertEquals(usageReader.result().usage, collect(decoded(codec, events)).usage);
    assertEquals(usageReader.result().outcome, "completed");
    assertEquals(verdicts.indexOf("terminal") >= 0, true, "no event was seen as terminal");
  });
  test("cut before its end it is an error, never a clean end", () => {
    const canonical = decoded(codec, events.slice(0, Math.max(1, Math.floor(events.length / 3))));
    const last = canonical.at(-1);
    assert(last?.type === "error" || last?.type === "end");
    if (events.length > 6) assertEquals(last?.type, "error");
  });
}

/** Runs a decoder over a whole stream. */
export function decoded(codec: Codec, events: Iterable<ServerSentEvent>): CanonicalEvent[] {
  const decoder = codec.eventDecoder();
  const canonical: CanonicalEvent[] = [];
  for (const event of events) canonical.push(...decoder.push(event));
  canonical.push(...decoder.end());
  return canonical;
}

/** Runs an encoder over a whole answer's events. */
export function encoded(
  codec: Codec,
  events: Iterable<CanonicalEvent>,
  context: ReturnType<typeof contextOf>,
): ServerSentEvent[] {
  const encoder = codec.eventEncoder(context);
  const wire: ServerSentEvent[] = [];
  for (const event of events) wire.push(...encoder.push(event));
  return wire;
}

export function assertValid(codec: Codec, events: Iterable<ServerSentEvent>): void {
  const validator = streamValidators[codec.name]();
  for (const event of events) validator.push(event);
  assertEquals(validator.end(), []);
}

/** Checks the laws of `CanonicalEvent`. */
export function assertLaws(events: readonly CanonicalEvent[]): void {
  assertEquals(events[0]?.type, "start", "start comes first");
  assertEquals(events.filter(({ type }) => type === "start").length, 1, "exactly one start");
  const terminal = events.filter(({ type }) => type === "end" || type === "error");
  assertEquals(terminal.length, 1, "exactly one end or error");
  assertEquals(events.at(-1), terminal[0], "the terminal event is last");
  const open = new Map<number, number>();
  let next = 0;
  for (const event of events) {
    if (event.type === "part-start") {
      assertEquals(event.index, next++, "indices are dense");
      const alternative = event.alternative ?? 0;
      assert(![...open.values()].includes(alternative), "one open part per alternative");
      open.set(event.index, alternative);
    } else if (event.type === "part-delta") {
      assert(open.has(event.index), "a delta needs an open part");
    } else if (event.type === "part-end") {
      assert(open.delete(event.index), "an end needs an open part");
    }
  }
  if (terminal[0]?.type === "end") assertEquals(open.size, 0, "every start has its end");
}

function assertSameAnswer(actual: CanonicalResponse, expected: CanonicalResponse): void {
  assertEquals(answerOf(actual), answerOf(expected));
}

/** An answer without native fields, in which a stream and a whole answer differ. */
function answerOf(response: CanonicalResponse): unknown {
  return plain({
    alternatives: response.alternatives.map(({ parts, finishReason, stopSequence }) => ({
      parts: plain(parts).map(withReadArguments).map(withoutNative),
      finishReason,
      stopSequence,
    })),
    usage: withoutNative(plain(response.usage ?? null)),
  });
}

/** Parses arguments: a stream has the model's own spelling of the JSON, a whole answer may not. */
function withReadArguments(part: Part): unknown {
  if (part.type !== "tool-call" || part.kind !== "function") return part;
  try {
    return { ...part, arguments: JSON.parse(part.arguments) };
  } catch {
    return part;
  }
}

function withoutNative(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNative);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== "native").map((
      [key, inner],
    ) => [key, withoutNative(inner)]),
  );
}

export function contextOf(body: JsonObject) {
  return {
    requestId: "req_01JD0000000000000000000000",
    model: typeof body.model === "string" ? body.model : "test-model",
    createdAtMs: 1_767_225_600_000,
    request: emptyRequest,
  };
}

const emptyRequest: CanonicalRequest = {
  ...bareRequest,
  model: "test-model",
  streamOptions: { includeUsage: true },
};

/** Drops `undefined` members, as JSON does. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
