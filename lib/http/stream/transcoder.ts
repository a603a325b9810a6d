import { concatenated } from "../../bytes.ts";
import {
  type CanonicalEvent,
  type Delivered,
  type FinishReason,
  GatewayError,
  type Note,
  type Usage,
} from "../../canonical/mod.ts";
import type { SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import type { ParsedText } from "../../json/mod.ts";

/** The bytes to send after one step. `terminal` ends the answer and waits until the usage is durable. */
export interface Outgoing {
  readonly bytes?: Uint8Array;
  readonly terminal?: Uint8Array;
  /** The pieces that follow at once, if the output is long. */
  readonly rest?: readonly Uint8Array[];
  /** Ends an answer whose framing has no error form: the connection breaks off. */
  readonly broken?: GatewayError;
}

/** The outcome and usage of a stream. */
export interface StreamResult {
  readonly outcome: Outcome;
  readonly usage?: Usage;
  /** True if the caller ended the answer, although its upstream had started it: its prompt counts at least. */
  readonly isSteered?: boolean;
  /** True if the gateway counted the usage. */
  readonly counted?: boolean;
  /** True if the usage's output is only a placeholder, as at the start of an answer. */
  readonly outputPending?: boolean;
  /** The service tier of the call, if an interrupted answer named it and stated no usage. */
  readonly servedTier?: string;
  /** True if the upstream blocked the prompt, so that there is no answer at all. */
  readonly promptBlocked?: boolean;
  /** The content sent to the caller, growing with the answer; may be absent if the upstream states the usage. */
  readonly delivered?: Delivered;
  /** Reads the text of a whole answer whose upstream states its usage; called only if that usage is doubtful. */
  readonly said?: () => Delivered | undefined;
  /** Reads the finish reason of each alternative; called only if calls are traced. */
  readonly finishReasons?: () => readonly FinishReason[];
  /** Losses and changes of the answer's conversion; absent if none. */
  readonly notes?: readonly Note[];
  readonly error?: GatewayError;
}

/** The result of settling a call. */
export interface Settled {
  /** Absent without a known price. */
  readonly costNanoUsd?: bigint;
  /** False for the answer to a call with an idempotency key that no repetition can get. */
  readonly isReplayable?: boolean;
}

type Outcome = "completed" | "truncated" | "upstream_error" | "client_gone" | "timeout";

/** Converts a source's items to the caller's bytes, one at a time, without I/O. */
export interface Transcoder<T> {
  /** Parses what takes long in an item, before it is pushed; undefined for most items. */
  ahead?(item: T): Promise<ParsedText | undefined> | undefined;
  push(item: T): Outgoing;
  /**
   * Encodes what is left of an item that takes long, with turns for other work; undefined if nothing
   * is left. To be called until then, before the next item.
   */
  more?(): Promise<Outgoing> | undefined;
  /**
   * True once the answer has ended, also by an error, or its finish reason is known: only usage, the
   * close and the like may follow.
   */
  readonly isFinished: boolean;
  /** The source is exhausted. */
  end(): Outgoing;
  /** The source failed: ends the stream in the caller's own error form. */
  fail(error: GatewayError): Outgoing;
  result(): StreamResult;
  /** The events sent before the end; absent if errors need not know them. */
  sent?(): SentEvents;
}

export const nothing: Outgoing = {};

/** Replaces an event of an answer: with itself, nothing, or other events. */
export type Rewrite = (event: CanonicalEvent) => readonly CanonicalEvent[];

/** Replaces a wire event that describes the whole answer; returns the same object if nothing changes. */
export type Restate = (event: ServerSentEvent) => ServerSentEvent;

/** The outcome of an error. */
export function outcomeOf({ code }: GatewayError): Outcome {
  if (code === "upstream_truncated") return "truncated";
  if (code === "upstream_timeout") return "timeout";
  return code === "client_closed" ? "client_gone" : "upstream_error";
}

/** Joins two steps; appends `last` only if neither was terminal. */
export function joinedOutgoing(a: Outgoing, b: Outgoing, last?: () => Outgoing): Outgoing {
  const bytes = a.bytes && b.bytes ? concatenated([a.bytes, b.bytes]) : a.bytes ?? b.bytes;
  const terminal = b.terminal ?? a.terminal;
  const joined = { ...(bytes && bytes.length > 0 && { bytes }), ...(terminal && { terminal }) };
  return last && !terminal ? joinedOutgoing(joined, last()) : joined;
}

/** The error of an answer without an end. */
export function truncated(cause?: unknown): GatewayError {
  return new GatewayError(
    "upstream_truncated",
    "The upstream interrupted the response",
    { cause },
  );
}

/** The events that one stream has sent, as far as an error after them needs to know. */
export class SentLog {
  #first?: ServerSentEvent;
  #last?: ServerSentEvent;
  /** Reads the last event of a run, if that came last. */
  #lastOfRun?: () => ServerSentEvent;
  #count = 0;

  add(event: ServerSentEvent): void {
    this.#first ??= event;
    this.#last = event;
    this.#lastOfRun = undefined;
    this.#count++;
  }

  /** Notes a run of events after the first one. `last` reads its last event, which only errors need. */
  addRun(last: () => ServerSentEvent, count: number): void {
    this.#lastOfRun = last;
    this.#count += count;
  }

  get events(): SentEvents {
    const first = this.#first;
    const last = this.#lastOfRun?.() ?? this.#last;
    return { count: this.#count, ...(first && { first }), ...(last && { last }) };
  }
}
