import type { GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { Endpoint } from "../formats/wire.ts";

/** One API request on its way through the gateway, before its body is read. */
export interface Call {
  /** `req_` + ULID: part of every answer, error, log row and metric of this call. */
  readonly id: string;
  readonly request: Request;
  readonly url: URL;
  /** The format of the requested address. */
  readonly codec: Codec;
  readonly endpoint: Endpoint;
  /** The `{model}` or `{id}` of the path. */
  readonly parameter?: string;
  /** The `{item}` of the path. */
  readonly item?: string;
  /** The path relative to the format's base URL, for the codec. */
  readonly wirePath: string;
  readonly startedAtMs: number;
  /** `performance.now()` at the start, for durations. */
  readonly startedAt: number;
  /** The caller's address. */
  readonly ip: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Settles once the answer is sent or the caller has disconnected; absent for a call of the console. */
  readonly completed?: Promise<void>;
  /** Changes its errors before they are sent; `errorCodecOf` applies them. */
  readonly errors?: ErrorChanges;
}

/** The changes of a call's errors on their way to the caller. */
export interface ErrorChanges {
  /** Changes an error before it is encoded. */
  word(error: GatewayError): GatewayError;
  /** Changes the body of an encoded error. */
  link(body: unknown): unknown;
}
