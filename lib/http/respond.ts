import { concatenated } from "../bytes.ts";
import {
  type CanonicalEvent,
  decimalUsd,
  GatewayError,
  type JsonObject,
  type LimitState,
  type Note,
} from "../canonical/mod.ts";
import type { StatedCost } from "../formats/codec.ts";
import type { SentEvents } from "../formats/wire.ts";
import { atOnceMax, pieceEnd } from "../json/mod.ts";
import { encodedText } from "./body/slab.ts";
import type { Call } from "./call.ts";
import { answerHeaders, limitHeaders } from "./errors.ts";
import { type Answer, type Content, contentText } from "./stream/answer.ts";
import { errorForm, signsOfLife } from "./stream/framing.ts";
import { SseReader, sseText } from "./stream/sse.ts";
import { type CloseStream, streamBody } from "./stream/stream_body.ts";
import type { Settled, StreamResult } from "./stream/transcoder.ts";

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
  /** The headers about the budgets of a client that shows them; absent for others. */
  readonly spending?: Readonly<Record<string, string>> | undefined;
  /** The day on which the vendor shuts the model down; absent if none is announced. */
  readonly retires?: string | undefined;
  /** The member of a virtual model that answers; absent for other models. */
  readonly model?: string | undefined;
  /** Writes the cost into the answer's usage; absent if the caller did not request it. */
  readonly statedCost?: StatedCost | undefined;
}

/** The response that carries a whole answer whose call is settled. */
export function wholeResponse(
  call: Call,
  answer: WholeAnswer,
  { costNanoUsd }: Settled,
  options: RespondOptions,
): Response {
  const headers = headersFor(call, answer, options);
  let { content } = answer;
  if (costNanoUsd !== undefined) {
    const usd = headers["tessera-cost"] = decimalUsd(costNanoUsd); // such as `0.000123`
    if (options.statedCost) content = options.statedCost.state(contentText(content), usd);
  }
  headers["content-type"] = answer.contentType ?? "application/json; charset=utf-8";
  if (typeof content !== "string") headers["content-length"] = `${content.length}`;
  const body = content.length > atOnceMax ? piecesOf(content) : content;
  return new Response(body as BodyInit, { headers }); // sound: never a shared buffer
}

/** A long body is sent in pieces, because the runtime copies any other at once. */
function piecesOf(content: Content): ReadableStream<Uint8Array> {
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
  { notes, limits, limitStates = [], spending, retires, model }: RespondOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    ...answerHeaders(call.id),
    ...limitHeaders(call, limitStates),
    ...spending,
  };
  if (retires !== undefined) headers["tessera-model-retires"] = retires;
  if (model !== undefined) headers["tessera-model"] = headerText(model);
  const own = answer.type === "whole" ? answer.result.notes ?? [] : []; // a stream's are known at its end only
  if (own.length > 0 || notes.length > 0) {
    // Each tool may have a note.
    headers["tessera-notes"] = notesText([...own, ...notes], limits.notesHeaderBytesMax);
  }
  return headers;
}

/** A name in the characters that a header may have. */
function headerText(name: string): string {
  return /^[\x21-\x7e]+$/.test(name) ? name : encodeURIComponent(name);
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
      typeof framing === "string"
        ? errorForm(call, error, framing, { begun: true, sent })
        : undefined,
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

/**
 * Adds comments before the answer's last bytes, if the stream allows comments: the member of a
 * virtual model that answered, the notes of its conversion, and its cost.
 */
function closeOf(
  { codec }: Call,
  framing: StreamAnswer["framing"],
  { statedCost, limits, model }: RespondOptions,
): CloseStream {
  if (framing !== "sse" || codec.takesComments === false) return (terminal) => terminal;
  const named = model === undefined ? "" : `: tessera-model ${headerText(model)}\n\n`;
  return (terminal, { costNanoUsd, isReplayable = true }, notes) => {
    const said = isReplayable ? named : `${named}: tessera-replayable false\n\n`;
    const noted = notes.length > 0
      ? `${said}: tessera-notes ${notesText(notes, limits.notesHeaderBytesMax)}\n\n`
      : said;
    if (costNanoUsd === undefined) return concatenated([encodedText(noted), terminal]);
    const usd = decimalUsd(costNanoUsd);
    const events = statedCost ? eventsWithCost(terminal, usd, statedCost) : terminal;
    return concatenated([encodedText(`${noted}: tessera-cost ${usd}\n\n`), events]);
  };
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

/** Writes the cost into the answer's usage, if the caller requested that; undefined otherwise. */
export function askedCost({ codec, endpoint }: Call, body: JsonObject): StatedCost | undefined {
  return endpoint.operation === "generate" && codec.statedCost?.isAsked(body)
    ? codec.statedCost
    : undefined;
}

/** Events of a stream with the cost in their usage, every other byte unchanged. */
function eventsWithCost(bytes: Uint8Array, usd: string, stated: StatedCost): Uint8Array {
  const reader = new SseReader({ eventBytesMax: Infinity });
  const frames = [...reader.push(bytes), ...reader.end()];
  return concatenated(frames.map(({ event, bytes }) => {
    if (!event.data.startsWith("{")) return bytes;
    const data = stated.state(event.data, usd);
    return data === event.data ? bytes : encodedText(sseText({ ...event, data }));
  }));
}
