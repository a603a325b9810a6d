import { GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import { JsonTooComplex } from "./body/json_scan.ts";

/** Anything thrown as the error that the caller sees. What is no `GatewayError` is a bug and stays unnamed. */
export function gatewayErrorOf(thrown: unknown): GatewayError {
  return thrown instanceof GatewayError ? thrown : new GatewayError(
    "internal_error",
    "The gateway failed; the operator finds the reason in its log by this request's id",
    { cause: thrown },
  );
}

/** As `gatewayErrorOf`, for what is thrown while an upstream's answer is read: too long or too deep an answer is the upstream's fault. */
export function answerErrorOf(thrown: unknown): GatewayError {
  const isTooMuch = thrown instanceof RangeError || thrown instanceof JsonTooComplex;
  if (!isTooMuch) return gatewayErrorOf(thrown);
  return new GatewayError(
    "upstream_invalid_response",
    "The upstream's answer is too complex, holds an event that is too long, or goes on without events",
    { cause: thrown },
  );
}

export interface ErrorResponseOptions {
  /** What the limits that bind the caller say of themselves; see `limitHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error as a response in a format's own shape. The codec alone says whether and when to retry. */
export function errorResponse(
  error: GatewayError,
  codec: Codec,
  requestId: string,
  options: ErrorResponseOptions = {},
): Response {
  const { status, headers, body } = codec.encodeError(error, requestId);
  return Response.json(body, {
    status,
    headers: { ...options.headers, ...headers, ...idHeaders(requestId) },
  });
}

/** An error for clients that read one text under `error`. */
export function plainErrorResponse(error: GatewayError, requestId: string): Response {
  const body = { error: error.message, code: error.code, request_id: requestId };
  return Response.json(body, { status: error.status, headers: idHeaders(requestId) });
}

/** The request id under the names that the formats' SDKs read. */
export function idHeaders(requestId: string): Record<string, string> {
  return { "x-request-id": requestId, "request-id": requestId };
}
