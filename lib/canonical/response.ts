import type { Part } from "./content.ts";
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
