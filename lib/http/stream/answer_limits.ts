import type { JsonBounds } from "../../json/mod.ts";

/** Limits of an upstream's stream. */
export interface StreamLimits {
  /** Maximum bytes of one event. */
  readonly eventBytesMax: number;
  /** Maximum bytes without an event, such as comments and blank lines. */
  readonly silentBytesMax: number;
  /** Maximum nesting of a request; see `answerJsonBounds`. */
  readonly nestingMax: number;
  /** Maximum objects and arrays of an answer or of one event. */
  readonly answerContainersMax: number;
}

/** Limits of reading an upstream's stream. */
export interface ReadLimits extends StreamLimits {
  /** Time for events after a stated end, in milliseconds. */
  readonly answerTailMs: number;
}

/** Limits of any answer of an upstream. */
export interface AnswerLimits extends ReadLimits {
  /** Maximum bytes of a whole answer. */
  readonly answerBytesMax: number;
}

/** Additional nesting: an answer may repeat parts of its request, such as tool schemas, within its own objects. */
const levelsAround = 16;
/** Average members per object or array: objects have a few, arrays none. */
const membersPerContainer = 2;

/** Average values per object or array: a token's bytes and its alternatives, in log probabilities. */
const valuesPerContainer = 4;

/** The complexity limits of the JSON in an answer or one event. */
export function answerJsonBounds(
  { nestingMax, answerContainersMax }: Pick<StreamLimits, "nestingMax" | "answerContainersMax">,
): JsonBounds {
  return {
    nestingMax: nestingMax + levelsAround,
    containersMax: answerContainersMax,
    membersMax: answerContainersMax * membersPerContainer,
    valuesMax: answerContainersMax * valuesPerContainer,
  };
}
