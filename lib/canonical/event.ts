import type { Citation, Continuation, Part } from "./content.ts";
import type { GatewayError } from "./error.ts";
import type { NativeFields } from "./format.ts";
import type { Ending } from "./response.ts";
import type { Usage } from "./usage.ts";

/**
 * A streamed answer, one step at a time. The laws that every decoder keeps:
 * exactly one `start`, first; `index` counts parts from 0 without gaps, over all alternatives; of
 * one alternative at most one part is open at a time; every `part-start` has its `part-end`;
 * `usage` is cumulative (the last one counts); exactly one `end` or `error`, last.
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
  /** The prompt's usage as the upstream states it at the start; a later `usage` event repeats it. */
  readonly usage?: Usage;
  readonly native?: NativeFields;
}

/** Opens a part. `part` is its beginning: text, refusal, reasoning and call parts start empty and grow by deltas; others are whole. */
export interface PartStartEvent {
  readonly type: "part-start";
  readonly index: number;
  /** Which alternative it belongs to; 0 when absent. */
  readonly alternative?: number;
  readonly part: Part;
}

/** Appends to the open part: to `text`, or to `arguments` of a tool call. */
export interface PartDeltaEvent {
  readonly type: "part-delta";
  readonly index: number;
  readonly text: string;
}

/** Closes a part and adds what is only known at its end. */
export interface PartEndEvent {
  readonly type: "part-end";
  readonly index: number;
  readonly patch?: PartPatch;
}

/** Fields that replace those of the part as it was opened. */
export interface PartPatch {
  readonly continuation?: Continuation;
  readonly citations?: readonly Citation[];
  readonly native?: NativeFields;
}

export interface UsageEvent {
  readonly type: "usage";
  readonly usage: Usage;
  /** Whether the gateway counted it because the upstream could not say. */
  readonly counted?: boolean;
  /** Whether its output is only a placeholder so far, as at the beginning of an answer. */
  readonly outputPending?: boolean;
}

export interface EndEvent {
  readonly type: "end";
  /** One per alternative, in order. */
  readonly endings: readonly Ending[];
  /** Fields of the whole answer that are only known at its end; added over those of `start`. */
  readonly native?: NativeFields;
}

export interface ErrorEvent {
  readonly type: "error";
  readonly error: GatewayError;
}
