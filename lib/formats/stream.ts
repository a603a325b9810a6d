import type { CanonicalEvent, Delivered, GatewayError, Usage } from "../canonical/mod.ts";
import type { ServerSentEvent } from "./wire.ts";

/** A push machine from the upstream's events to canonical ones. Cut anywhere, it decodes the same. */
export interface EventDecoder {
  push(event: ServerSentEvent): readonly CanonicalEvent[];
  /** Whether the answer has stated how it ended: only its usage, its close and the like may follow. */
  readonly isFinished: boolean;
  /** The upstream closed: what is still owed, ending in `end`, or in `error` where the close came too early. */
  end(): readonly CanonicalEvent[];
}

/** A push machine from canonical events to the caller's format. Writes the terminal event on `end` or `error`. */
export interface EventEncoder {
  push(event: CanonicalEvent): readonly ServerSentEvent[];
}

/** Checks one stream against its dialect's protocol. Used by every test and by sampling in production. */
export interface StreamValidator {
  push(event: ServerSentEvent): void;
  /** The violations found, empty when there are none. `end` also checks that the stream ended as it must. */
  end(): readonly string[];
}

/** Reads usage and outcome out of an answer that passes through untouched. */
export interface UsageReader {
  /** Usage of a whole answer's body; undefined where it states none. */
  usage(body: unknown): Usage | undefined;
  /** Whether a whole answer says that its prompt was blocked and nothing else; absent where the format has no such answer. */
  readonly promptBlocked?: (body: unknown) => boolean;
  /** Whether an answer is over with its terminal event, or only when the upstream closes (later events still count). */
  readonly endsAt: "terminal-event" | "close";
  /** The event that an upstream leaves out when it closes behind a finished answer; absent where only the close ends one, or nothing else does. */
  readonly terminalEvent?: ServerSentEvent;
  /** A reader for one stream, of which so many answers were asked. */
  stream(alternatives?: number): StreamUsageReader;
}

/**
 * The part that an event of a stream plays: `terminal` ends the answer, and the gateway holds it until
 * the usage is durable; `foreign` belongs to another answer, so that this one is over before it.
 */
export type EventRole = "open" | "terminal" | "foreign";

export interface StreamUsageReader {
  /** Looks at one event. Cheap for events that say nothing about usage or outcome: they are not parsed. */
  push(event: ServerSentEvent): EventRole;
  /** Told of every event that went out to the caller, after `push`: what it says counts as delivered. As cheap. */
  sent(event: ServerSentEvent): void;
  /** Whether every answer in the stream has stated how it ended: only usage, the close and the like may follow. */
  readonly isFinished: boolean;
  /**
   * The rest of an event behind the answer's end that may still go out: the same event, one without
   * what a finished answer cannot say, or nothing. Absent where nothing follows the end.
   */
  readonly trailing?: (event: ServerSentEvent) => ServerSentEvent | undefined;
  /** What went out so far. */
  readonly delivered: Delivered;
  /** What is known so far. */
  result(): StreamUsage;
}

export interface StreamUsage {
  readonly usage?: Usage;
  /** Whether the usage's output is only a placeholder so far, as at the beginning of an answer. */
  readonly outputPending?: boolean;
  /** The service tier that events named before any usage, by its canonical name. */
  readonly servedTier?: string;
  /** Whether the prompt was blocked, so that there is no answer at all. */
  readonly promptBlocked?: boolean;
  /** `completed` only after the format's real terminal event; `failed` after its error form. */
  readonly outcome: "open" | "completed" | "failed";
  /** The error that the stream carried, where `failed`. */
  readonly error?: GatewayError;
}
