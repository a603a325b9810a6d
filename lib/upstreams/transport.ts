import type { Deadline } from "./deadline.ts";
import type { Destination } from "./place.ts";

/** An outbound call. A configured address is called as written, one from the console is checked. */
export interface Outbound extends Destination {
  /** Absent: `POST`. */
  readonly method?: "GET" | "POST";
  /** Calls with equal headers may share the object, from which clients keep what they make of it. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless its headers name another content type. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** The header fields of an answer; `Headers` has this shape. */
export type AnswerHeaders = Pick<Headers, "get" | "has"> & Iterable<[string, string]>;

/** An upstream's answer as a client delivers it: its headers have arrived, its body is unread. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Reads a chunk; undefined at the end. Rejects with the network's error. */
  read(): Promise<Uint8Array | undefined>;
  /** Reads the rest of a small body in one step. Rejects like `read`. */
  readRest(): Promise<Uint8Array>;
  /** Abandons the body. */
  cancel(reason: unknown): void;
}

/** The deadline of a call as a client needs it: the phase that begins, and the signal that ends it. */
export type Phases = Pick<Deadline, "awaitConnection" | "awaitFirstByte" | "signal">;

/** A client that sends one request. Rejects with the network's error, never with `GatewayError`. */
export interface Transport {
  (outbound: Outbound, phases: Phases): Promise<UpstreamAnswer>;
  /** Forgets what is known of a host after a call without an answer. */
  doubt(outbound: Outbound): void;
  /** Closes idle connections, and keeps none from now on. */
  close(): void;
}
