import { concatenated, noBytes } from "../bytes.ts";
import { type CanonicalEvent, GatewayError, type LimitState, type Note } from "../canonical/mod.ts";
import type { Codec, StatedCost } from "../formats/codec.ts";
import type { Framing, SentEvents } from "../formats/wire.ts";
import { atOnceMax, pieceEnd } from "../json/mod.ts";
import { encodedText } from "./body/slab.ts";
import type { Call } from "./call.ts";
import { addCost, closeWithCost, type Settled, wholeWithCost } from "./cost.ts";
import { answerHeaders, errorCodecOf, limitHeaders } from "./errors.ts";
import type { Answer, Content } from "./stream/answer.ts";
import { framerOf } from "./stream/framer.ts";
import { signsOfLife } from "./stream/sign_of_life.ts";
import { type CloseStream, streamBody } from "./stream/stream_body.ts";
import type { StreamResult } from "./stream/transcoder.ts";

interface RespondOptions {
  /** Notes of the request's conversion. */
  readonly notes: readonly Note[];
  readonly limits: {
    readonly sseKeepAliveMs: number;
    readonly notesHeaderBytesMax: number;
    readonly answerTailMs: number;
    readonly readTimeoutMs: number;
  };
  /** The state of the caller's limits, including this call; default: none. */
  readonly limitStates?: readonly LimitState[];
  /** Writes the cost into the answer's usage; absent if the caller did not request it. */
  readonly statedCost?: StatedCost | undefined;
}

/** The response that carries a whole answer whose call is settled. */
export function wholeResponse(
  call: Call,
  answer: WholeAnswer,
  settled: Settled,
  options: RespondOptions,
): Response {
  const headers = headersFor(call, answer, options);
  const content = wholeWithCost(answer.content, settled, options.statedCost);
  addCost(headers, settled);
  headers["content-type"] = answer.contentType ?? "application/json; charset=utf-8";
  if (typeof content !== "string") headers["content-length"] = `${content.length}`;
  return new Response(bodyOf(content), { headers });
}

/** A long body is sent in pieces, because the runtime copies any other at once. */
function bodyOf(content: Content): BodyInit {
  if (content.length <= atOnceMax) return content as string | Uint8Array<ArrayBuffer>; // sound: never a shared buffer
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= content.length) return controller.close();
      const end = pieceEnd(content, at + sentLength);
      const piece = content.slice(at, end);
      controller.enqueue(typeof piece === "string" ? encodedText(piece) : piece);
      at = end;
    },
  }, { highWaterMark: 0 });
}

const sentLength = 256 * 1024;

function headersFor(
  call: Call,
  answer: Answer,
  { notes, limits, limitStates = [] }: RespondOptions,
): Record<string, string> {
  const headers = { ...answerHeaders(call.id), ...limitHeaders(call, limitStates) };
  const own = answer.type === "whole" ? answer.result.notes ?? [] : []; // a stream's are known at its end only
  if (own.length > 0 || notes.length > 0) {
    // Each tool may have a note.
    headers["tessera-notes"] = notesText([...own, ...notes], limits.notesHeaderBytesMax);
  }
  return headers;
}

type WholeAnswer = Extract<Answer, { type: "whole" }>;
type StreamAnswer = Extract<Answer, { type: "stream" }>;

/**
 * The response that carries a stream. `settle` makes its usage durable; it is called exactly once,
 * before the answer's end is sent.
 */
export function streamResponse(
  call: Call,
  answer: StreamAnswer,
  settle: (result: StreamResult) => Promise<Settled>,
  options: RespondOptions,
): Response {
  const { framing } = answer;
  const bodyOptions = {
    settle,
    errorForm: (error: GatewayError, sent?: SentEvents) =>
      errorFormOf(call, error, { framing, sent }),
    close: closeOf(call, framing, options),
    caller: call.signal,
    first: answer.first,
    signs: signsOfLife(call.codec, framing),
    keepAliveMs: options.limits.sseKeepAliveMs,
    tailMs: options.limits.answerTailMs,
    readTimeoutMs: options.limits.readTimeoutMs,
    breaksOff: call.codec.ignoresErrors === true && typeof framing === "string",
  };
  const body = answer.kind === "bytes"
    ? streamBody<Uint8Array>(answer.source, answer.transcoder, bodyOptions)
    : streamBody<CanonicalEvent>(answer.source, answer.transcoder, bodyOptions);
  return new Response(body, {
    headers: { ...headersFor(call, answer, options), ...headersOf(framing) },
  });
}

/** Adds comments before the answer's last bytes: the notes of its conversion, and its cost. */
function closeOf(
  call: Call,
  framing: StreamAnswer["framing"],
  { statedCost, limits }: RespondOptions,
): CloseStream {
  const withCost = closeWithCost(call, framing, statedCost);
  const place = { codec: call.codec, framing };
  return (terminal, settled, notes) =>
    concatenated([
      notesComment(notes, limits.notesHeaderBytesMax, place),
      withCost(terminal, settled),
    ]);
}

export const streamHeaders = {
  sse: {
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
  },
  "json-array": { "content-type": "application/json; charset=utf-8", "x-accel-buffering": "no" },
} as const;

function headersOf(framing: StreamAnswer["framing"]): Readonly<Record<string, string>> {
  return typeof framing === "string"
    ? streamHeaders[framing]
    : { "content-type": framing.contentType, "x-accel-buffering": "no" };
}

/** The form of an error after bytes that were sent. */
function errorFormOf(
  call: Call,
  error: GatewayError,
  { framing, sent }: {
    readonly framing: StreamAnswer["framing"];
    readonly sent: SentEvents | undefined;
  },
): Uint8Array | undefined {
  if (typeof framing !== "string") return undefined;
  const framer = framerOf(framing, true);
  const events = errorCodecOf(call).encodeStreamError(error, call.id, sent).map((event) =>
    framer.frame(event)
  );
  return concatenated([...events, framer.close()]);
}

/** Refuses a lossy conversion if the caller sent `tessera-strict: true`. */
export function assertNotesAllowed(headers: Headers, notes: readonly Note[]): void {
  if (notes.length === 0 || headers.get("tessera-strict")?.toLowerCase() !== "true") return;
  const [first] = notes;
  throw new GatewayError(
    "conversion_lossy",
    `Cannot convert the request without loss: ${first.path} ${first.action}, ${first.reason} (${notes.length} notes in total). Remove tessera-strict, or choose a model of the same format`,
    { param: first.path, unsent: true },
  );
}

/** The notes of a streamed answer: a comment before its end, if the stream allows comments. */
function notesComment(
  notes: readonly Note[],
  bytesMax: number,
  { codec, framing }: { readonly codec: Codec; readonly framing: Framing | object },
): Uint8Array {
  const takesComments = framing === "sse" && codec.takesComments !== false;
  if (notes.length === 0 || !takesComments) return noBytes;
  return encodedText(`: tessera-notes ${notesText(notes, bytesMax)}\n\n`);
}

/**
 * The `tessera-notes` header: losses and changes of the request's conversion, and of a whole
 * answer's. `path action: reason; …`: as many whole notes as fit, then the number of the others.
 */
function notesText(notes: readonly Note[], bytesMax: number): string {
  const written: string[] = [];
  let length = 0;
  for (const { path, action, reason } of notes) {
    const entry = `${path} ${action}: ${reason}`.replace(/[^\x20-\x7e]/g, "?");
    length += entry.length + 2;
    if (length > bytesMax - 20) break;
    written.push(entry);
  }
  const more = notes.length - written.length;
  return [...written, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
