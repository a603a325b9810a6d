import type {
  CanonicalEvent,
  Delivered,
  FinishReason,
  GatewayError,
  Usage,
} from "../canonical/mod.ts";
import type { ServerSentEvent } from "./wire.ts";

/** Converts an upstream's events to canonical ones. The result does not depend on how the stream is cut. */
export interface EventDecoder {
  push(event: ServerSentEvent): readonly CanonicalEvent[];
  /**
   * True once the answer has ended, also by an error, or its finish reason is known: only usage, the
   * close and the like may follow.
   */
  readonly isFinished: boolean;
  /**
   * The upstream closed the stream: returns the remaining events, ending in `end`, or in `error` if
   * the close came too early.
   */
  end(): readonly CanonicalEvent[];
}

/** Converts canonical events to the caller's format. Writes the terminal event on `end` or `error`. */
export interface EventEncoder {
  push(event: CanonicalEvent): readonly ServerSentEvent[];
}

/** Reads usage and outcome of an answer that passes through unchanged. */
export interface UsageReader {
  /** Usage of a whole answer's body; undefined if it states none. */
  usage(body: unknown): Usage | undefined;
  /**
   * Returns true if a whole answer only reports that its prompt was blocked; absent if the format
   * has no such answer.
   */
  readonly promptBlocked?: (body: unknown) => boolean;
  /** True end of an answer: its terminal event, or only the upstream's close (then later events still count). */
  readonly endsAt: "terminal-event" | "close";
  /**
   * The event that completes an answer whose upstream closed without it; absent if the close itself
   * ends answers, or if only that event does.
   */
  readonly terminalEvent?: ServerSentEvent;
  /** A reader for one stream with this many requested alternatives; default: 1. */
  stream(alternatives?: number): StreamUsageReader;
}

/**
 * The role of an event in its stream: `terminal` ends the answer and is held until the usage is
 * durable; `foreign` belongs to another answer, so this one ended before it.
 */
export type EventRole = "open" | "terminal" | "foreign";

export interface StreamUsageReader {
  /** Reads one event. Cheap for events without usage or outcome: they are not parsed. */
  push(event: ServerSentEvent): EventRole;
  /**
   * Called after `push` for every event that was sent to the caller: its content counts as
   * delivered. Cheap, too.
   */
  sent(event: ServerSentEvent): void;
  /**
   * The last sent event around its text, if it has no other content: events that differ from it
   * only in that text have the same role. Absent if the format does not look for them.
   */
  readonly usual?: UsualEvent;
  /**
   * True once the answer is complete or every alternative has a finish reason: only usage, the close
   * and the like may follow.
   */
  readonly isFinished: boolean;
  /**
   * The rest of an event after the answer's end that may still be sent: the same event, a reduced
   * one, or undefined. Absent if nothing follows the end.
   */
  readonly trailing?: (event: ServerSentEvent) => ServerSentEvent | undefined;
  /** The content sent so far. */
  readonly delivered: Delivered;
  /** The usage and outcome so far. */
  result(): StreamUsage;
  /**
   * The finish reason of each finished alternative, as the wire's own word says it: in some formats
   * an answer with tool calls is a plain `stop`.
   */
  finishReasons(): readonly FinishReason[];
}

/** The misses in a row after which a stream is no longer searched for events like the last one. */
export const missesMax = 16;

/** An event that only delivers text: everything before its text, and everything after. */
export interface UsualEvent {
  /** The event's name, in formats that name their events. */
  readonly name: string | undefined;
  /** Up to the quotation mark that opens the text. */
  readonly before: string;
  /** From the quotation mark that closes the text. */
  readonly after: string;
  /** Counts the text of another such event, still escaped as in JSON, as delivered. */
  readonly add: (escaped: string) => void;
}

export interface StreamUsage {
  readonly usage?: Usage;
  /** True if the usage's output is only a placeholder, as at the start of an answer. */
  readonly outputPending?: boolean;
  /** The service tier that events named before any usage, by its canonical name. */
  readonly servedTier?: string;
  /** True if the prompt was blocked, so that there is no answer at all. */
  readonly promptBlocked?: boolean;
  /** `completed` only after the format's real terminal event; `failed` after its error form. */
  readonly outcome: "open" | "completed" | "failed";
  /** The error in the stream, if `failed`. */
  readonly error?: GatewayError;
}
