import type { JsonBounds } from "../body/json_scan.ts";

/** The bounds of an upstream's stream. */
export interface StreamLimits {
  /** Bytes of one event. */
  readonly eventBytesMax: number;
  /** Bytes without an event, such as comments and blank lines. */
  readonly silentBytesMax: number;
  /** Objects and arrays within one another in a request; see `answerJsonBounds`. */
  readonly nestingMax: number;
  /** Objects and arrays of an answer or of one event. */
  readonly answerContainersMax: number;
}

/** The bounds of reading an upstream's stream. */
export interface ReadLimits extends StreamLimits {
  /** Time for what follows a stated end, in milliseconds. */
  readonly answerTailMs: number;
}

/** The bounds of any answer of an upstream. */
export interface AnswerLimits extends ReadLimits {
  /** Bytes of a whole answer. */
  readonly answerBytesMax: number;
}

/** An answer may repeat parts of its request, such as the schemas of its tools, within its own objects. */
const levelsAround = 16;
/** Every object of an answer has a few members, arrays have none. */
const membersPerContainer = 2;

/** How complex the JSON of an answer or of one event may be. */
export function answerJsonBounds(
  { nestingMax, answerContainersMax }: Pick<StreamLimits, "nestingMax" | "answerContainersMax">,
): JsonBounds {
  return {
    nestingMax: nestingMax + levelsAround,
    containersMax: answerContainersMax,
    membersMax: answerContainersMax * membersPerContainer,
  };
}
