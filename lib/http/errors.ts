import { GatewayError, type LimitState } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { EventEncoder } from "../formats/stream.ts";
import type { ServerSentEvent } from "../formats/wire.ts";
import { JsonTooComplex } from "../json/mod.ts";
import type { Call, ErrorChanges } from "./call.ts";

/**
 * Converts anything thrown to the caller's error. Anything but a `GatewayError` is a bug, reported
 * without details.
 */
export function gatewayErrorOf(thrown: unknown): GatewayError {
  return thrown instanceof GatewayError ? thrown : new GatewayError(
    "internal_error",
    "The gateway failed. Give your administrator the request ID; the cause is in the gateway's log",
    { cause: thrown },
  );
}

/**
 * Like `gatewayErrorOf`, while an upstream's answer is read: an answer that is too long or too deep
 * is the upstream's fault.
 */
export function answerErrorOf(thrown: unknown): GatewayError {
  const isTooMuch = thrown instanceof RangeError || thrown instanceof JsonTooComplex;
  if (!isTooMuch) return gatewayErrorOf(thrown);
  return new GatewayError(
    "upstream_invalid_response",
    "The upstream's response is too complex, has an oversized event, or continues without events",
    { cause: thrown },
  );
}

interface ErrorResponseOptions {
  /** Headers of the caller's limits; see `limitHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a client that shows the end of a budget in its own way; see `SpendingCodec`. */
  readonly showsSpending?: boolean;
}

/** An error as a response in a format's own form. Only the codec decides on the retry headers. */
export function errorResponse(
  error: GatewayError,
  codec: Codec,
  requestId: string,
  options: ErrorResponseOptions = {},
): Response {
  const wire = codec.encodeError(error, requestId);
  const isSpent = options.showsSpending && error.limit?.kind === "money";
  const { status, headers, body } = isSpent && codec.spending?.refusal?.(error, wire) || wire;
  return Response.json(body, {
    status,
    headers: { ...options.headers, ...headers, ...answerHeaders(requestId) },
  });
}

/** An error for clients that read a plain text under `error`. */
export function plainErrorResponse(error: GatewayError, requestId: string): Response {
  const body = { error: error.message, code: error.code, request_id: requestId };
  return Response.json(body, { status: error.status, headers: answerHeaders(requestId) });
}

/**
 * The headers of every answer of the API: the request id under the names that the formats' SDKs
 * read, and that nobody keeps, guesses the type of or changes the body. Without `no-transform` Deno
 * 2.8.2 compresses whole answers if the client accepts it, which costs more than the rest of a call,
 * and a proxy that compresses a stream delays it.
 */
export function answerHeaders(requestId: string): Record<string, string> {
  return {
    "x-request-id": requestId,
    "request-id": requestId,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store, no-transform",
  };
}

/**
 * The codec that encodes a call's errors with their changes, in whole answers and in streams. Made
 * only where an error may be sent, because most calls end without one.
 */
export function errorCodecOf({ codec, errors }: Pick<Call, "codec" | "errors">): Codec {
  return errors ? changedCodec(codec, errors) : codec;
}

function changedCodec(codec: Codec, changes: ErrorChanges): Codec {
  return {
    ...codec,
    encodeError: (error, requestId) => {
      const { body, ...wire } = codec.encodeError(changes.word(error), requestId);
      return { ...wire, body: changes.link(body, error) };
    },
    encodeStreamError: (error, requestId, sent) =>
      codec.encodeStreamError(changes.word(error), requestId, sent)
        .map((event) => linked(event, error, changes)),
    eventEncoder: (context) => changingEncoder(codec.eventEncoder(context), changes),
  };
}

function changingEncoder(encoder: EventEncoder, changes: ErrorChanges): EventEncoder {
  return {
    push: (event) => {
      if (event.type !== "error") return encoder.push(event);
      const events = encoder.push({ ...event, error: changes.word(event.error) });
      return events.map((one) => linked(one, event.error, changes));
    },
  };
}

function linked(
  event: ServerSentEvent,
  error: GatewayError,
  changes: ErrorChanges,
): ServerSentEvent {
  return { ...event, data: JSON.stringify(changes.link(JSON.parse(event.data), error)) };
}

/** The state of a call's limits, in the headers of its format; empty without limits. */
export function limitHeaders(
  { codec, startedAtMs, startedAt }: Pick<Call, "codec" | "startedAtMs" | "startedAt">,
  states: readonly LimitState[],
): Readonly<Record<string, string>> {
  if (states.length === 0) return {};
  return codec.limitHeaders(states, startedAtMs + performance.now() - startedAt);
}
