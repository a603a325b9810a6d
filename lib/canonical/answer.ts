import type { JsonValue } from "../json/mod.ts";
import type { Citation, Continuation, Part } from "./content.ts";
import type { GatewayError } from "./error.ts";
import type { NativeFields } from "./format.ts";
import type { TokenLogprob } from "./logprob.ts";
import type { Usage } from "./usage.ts";

/** A whole answer. Equal to the fold of its events (`collect`). */
export interface CanonicalResponse {
  /** The upstream's id of the answer. */
  readonly id: string;
  /** The upstream's name of the model. */
  readonly model: string;
  readonly createdAtMs?: number;
  /** At least one, in order; several only if the caller requested alternatives. */
  readonly alternatives: readonly Alternative[];
  readonly usage?: Usage;
  /** The format from which it was decoded, with its native fields. */
  readonly native?: NativeFields;
}

/** One alternative of an answer; most answers have a single one. */
export interface Alternative extends Ending {
  readonly parts: readonly Part[];
}

/** The ending of one alternative. */
export interface Ending {
  readonly finishReason: FinishReason;
  /** The stop sequence that matched, if the vendor states it. */
  readonly stopSequence?: string;
  /** True if the prompt was blocked, so that there is no answer at all. */
  readonly promptBlocked?: boolean;
  /** Tokens outside of texts and refusals, such as those of a call. */
  readonly logprobs?: readonly TokenLogprob[];
  readonly native?: NativeFields;
}

/** All finish reasons. */
export const finishReasons = [
  "stop",
  "stop-sequence",
  "tool-calls",
  "length",
  "context-full",
  "content-filter",
  "refusal",
  "pause",
  "compaction",
] as const;
/** The reason why an answer ended. */
export type FinishReason = typeof finishReasons[number];

/**
 * One event of a streamed answer. Laws that every decoder keeps: exactly one `start`, first;
 * `index` counts parts from 0 without gaps, over all alternatives; at most one part per alternative
 * is open at a time; every `part-start` has its `part-end`; `usage` is cumulative (the last one
 * counts); exactly one `end` or `error`, last.
 */
export type CanonicalEvent =
  | StartEvent
  | PartStartEvent
  | PartDeltaEvent
  | PartEndEvent
  | UsageEvent
  | EndEvent
  | ErrorEvent;

export interface StartEvent {
  readonly type: "start";
  readonly id: string;
  readonly model: string;
  readonly createdAtMs?: number;
  /** The prompt's usage if the upstream states it at the start; a later `usage` event repeats it. */
  readonly usage?: Usage;
  readonly native?: NativeFields;
}

/**
 * Opens a part. `part` is its start: text, refusal, reasoning and call parts start empty and grow
 * by deltas; others are whole, except for a native part whose end has its value.
 */
export interface PartStartEvent {
  readonly type: "part-start";
  readonly index: number;
  /** The index of its alternative; default: 0. */
  readonly alternative?: number;
  readonly part: Part;
}

/** Appends to the open part: to `text`, or to `arguments` of a tool call. */
export interface PartDeltaEvent {
  readonly type: "part-delta";
  readonly index: number;
  readonly text: string;
  /** The tokens of this piece; a token without text of its own may come with an empty one. */
  readonly logprobs?: readonly TokenLogprob[];
}

/** Closes a part and adds the fields known only at its end. */
export interface PartEndEvent {
  readonly type: "part-end";
  readonly index: number;
  readonly patch?: PartPatch;
}

/** Fields that replace those of the part at its start. */
export interface PartPatch {
  readonly continuation?: Continuation;
  readonly citations?: readonly Citation[];
  /** All tokens of the part, if its deltas lacked some or their bytes. */
  readonly logprobs?: readonly TokenLogprob[];
  readonly native?: NativeFields;
  /** The value of a native part that was announced without it. */
  readonly value?: JsonValue;
}

export interface UsageEvent {
  readonly type: "usage";
  readonly usage: Usage;
  /** True if the gateway counted it because the upstream stated none. */
  readonly counted?: boolean;
  /** True if its output is only a placeholder, as at the start of an answer. */
  readonly outputPending?: boolean;
}

export interface EndEvent {
  readonly type: "end";
  /** One per alternative, in order. */
  readonly endings: readonly Ending[];
  /** Native fields of the whole answer that are known only at its end; merged over those of `start`. */
  readonly native?: NativeFields;
}

export interface ErrorEvent {
  readonly type: "error";
  readonly error: GatewayError;
}
