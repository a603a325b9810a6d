import type { Part } from "./content.ts";
import type { NativeFields } from "./format.ts";
import type { Usage } from "./usage.ts";

/** A whole answer. Equal to the fold of its events (`collect`). */
export interface CanonicalResponse {
  /** The upstream's id of the answer. */
  readonly id: string;
  /** The model as the upstream names it. */
  readonly model: string;
  readonly createdAtMs?: number;
  /** At least one, in order; more than one only when the caller asked for alternatives. */
  readonly alternatives: readonly Alternative[];
  readonly usage?: Usage;
  /** Marks the format that it was decoded from, with the fields only that format has. */
  readonly native?: NativeFields;
}

/** One of the answers to a request; most have a single one. */
export interface Alternative extends Ending {
  readonly parts: readonly Part[];
}

/** How one alternative ended. */
export interface Ending {
  readonly finishReason: FinishReason;
  /** The stop sequence that matched, where the vendor says it. */
  readonly stopSequence?: string;
  /** Whether the prompt was blocked, so that there is no answer at all. */
  readonly promptBlocked?: boolean;
  readonly native?: NativeFields;
}

/** Why an answer may end. */
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
/** Why an answer ended. */
export type FinishReason = typeof finishReasons[number];
