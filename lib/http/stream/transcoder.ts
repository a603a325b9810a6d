import {
  type CanonicalEvent,
  type Delivered,
  GatewayError,
  type Note,
  type Usage,
} from "../../canonical/mod.ts";
import type { SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import { concatenated } from "../body/bytes.ts";

/** What goes to the caller after one step. `terminal` ends the answer and waits until the usage is durable. */
export interface Outgoing {
  readonly bytes?: Uint8Array;
  readonly terminal?: Uint8Array;
  /** Ends an answer that has no words for a failure: the connection breaks off. */
  readonly broken?: GatewayError;
}

/** How a stream ended and what it used. */
export interface StreamResult {
  readonly outcome: Outcome;
  readonly usage?: Usage;
  /** Whether the usage was counted here. */
  readonly counted?: boolean;
  /** Whether the usage's output is only a placeholder, as at the beginning of an answer. */
  readonly outputPending?: boolean;
  /** The service tier that serves the call, where an answer that was cut short named it and stated no usage. */
  readonly servedTier?: string;
  /** Whether the upstream blocked the prompt, so that there is no answer at all. */
  readonly promptBlocked?: boolean;
  /** What went out to the caller, growing while the answer does; may be absent where the upstream states the usage. */
  readonly delivered?: Delivered;
  /** Reads the text of a whole answer whose upstream states its usage; called only where that usage is doubted. */
  readonly said?: () => Delivered | undefined;
  /** Notes of what the answer lost or changed for a caller of another format; absent if nothing. */
  readonly notes?: readonly Note[];
  readonly error?: GatewayError;
}

export type Outcome = "completed" | "truncated" | "upstream_error" | "client_gone" | "timeout";

/** Turns what a source yields into the caller's bytes, one item at a time, with no I/O of its own. */
export interface Transcoder<T> {
  push(item: T): Outgoing;
  /** Whether the answer has stated how it ended: only its usage, its close and the like may follow. */
  readonly isFinished: boolean;
  /** The source is exhausted. */
  end(): Outgoing;
  /** The source failed: ends the stream in the caller's own error form. */
  fail(error: GatewayError): Outgoing;
  /** What is known so far. */
  result(): StreamResult;
  /** The events that went out, but for those of the end; absent where errors need not know them. */
  sent?(): SentEvents;
}

export const nothing: Outgoing = {};

/** What becomes of an answer's event on its way: the same, nothing, or others. */
export type Rewrite = (event: CanonicalEvent) => readonly CanonicalEvent[];

/** How an event goes out that tells of an answer as a whole: the very same event where there is nothing to change. */
export type Restate = (event: ServerSentEvent) => ServerSentEvent;

/** The outcome that an error stands for. */
export function outcomeOf({ code }: GatewayError): Outcome {
  if (code === "upstream_truncated") return "truncated";
  if (code === "upstream_timeout") return "timeout";
  return code === "client_closed" ? "client_gone" : "upstream_error";
}

/** Many steps, one after another; each byte is copied once. */
export function allOutgoing(steps: readonly Outgoing[]): Outgoing {
  const bytes = concatenated(steps.flatMap(({ bytes }) => bytes ? [bytes] : []));
  const terminal = steps.findLast(({ terminal }) => terminal)?.terminal;
  return { ...(bytes.length > 0 && { bytes }), ...(terminal && { terminal }) };
}

/** One step after another; `last` only where neither was terminal. */
export function joinedOutgoing(a: Outgoing, b: Outgoing, last?: () => Outgoing): Outgoing {
  const joined = allOutgoing([a, b]);
  return last && !joined.terminal ? joinedOutgoing(joined, last()) : joined;
}

/** What an answer fails with that has no end. */
export function truncated(cause?: unknown): GatewayError {
  return new GatewayError(
    "upstream_truncated",
    "The upstream closed the connection before its answer was complete",
    { cause },
  );
}
