import { BoundedMap } from "../bounded_map.ts";

/** The usage of one call. */
interface Past {
  readonly tokens: number;
  readonly outputTokens: number;
}

/** Statistics of recent calls with the same key and model. */
export interface RecentTokens {
  /** The longest answer. */
  readonly outputMost: number;
  /** The average answer. */
  readonly outputAverage: number;
  /** The average of prompt and answer together. */
  readonly average: number;
}

const callsKept = 8;
const kindsKept = 5_000;

/** The usage of recent calls by key and model, to estimate the next call. */
export class RecentUse {
  readonly #pasts = new BoundedMap<string, Past[]>(kindsKept);

  note(kind: string, past: Past): void {
    const pasts = this.#pasts.getOrInsert(kind, () => []);
    if (pasts.length === callsKept) pasts.shift();
    pasts.push(past);
  }

  /** Undefined if there were no calls with this key and model. */
  of(kind: string): RecentTokens | undefined {
    const pasts = this.#pasts.get(kind);
    if (!pasts) return undefined;
    let [outputMost, outputSum, sum] = [0, 0, 0];
    for (const { tokens, outputTokens } of pasts) {
      outputMost = Math.max(outputMost, outputTokens);
      outputSum += outputTokens;
      sum += tokens;
    }
    const { length } = pasts;
    return {
      outputMost,
      outputAverage: Math.ceil(outputSum / length),
      average: Math.ceil(sum / length),
    };
  }
}

/** The members of a request that limit the length of its answer. */
export interface LimitedAnswer {
  readonly envelope: { readonly maxOutputTokens?: number; readonly thinkingTokens?: number };
  /** True if its body cannot state an output limit. */
  readonly unlimitable?: boolean;
  /** Maximum tokens of files in addition to the body's text. */
  readonly fileTokens?: number;
}

/** The token limits of each alternative of an answer, thinking included. */
export interface AnswerLength {
  /** The caller's or the model's limit. */
  readonly most: number;
  /** The caller's limit if there is one; else a length that such answers rarely exceed. */
  readonly likely: number;
  /** The shortest useful answer. */
  readonly least: number;
  /** The cap of limits that the gateway sets itself: a model might reject a higher one. */
  readonly longest: number;
  /** True if the wire format has a field for a limit. */
  readonly isLimitable: boolean;
}

/** Assumed if neither the caller nor the catalog limits the answer. */
const unknownMost = 32_768;
/** A limit that practically every model accepts. */
const unknownLongest = 8_192;
/** The guess when there are no recent answers. */
const likelyFirst = 4_096;
const likelyMin = 256;
/** Some vendors refuse lower limits (OpenAI, responses; 2026-11-22). */
const usefulMin = 16;
const usefulFirst = 32;
const usefulMax = 256;

/** `known` holds the output limits of all candidate models, undefined if unknown. */
export function answerLengthOf(
  { envelope, unlimitable = false, fileTokens = 0 }: LimitedAnswer,
  { known, recent }: {
    readonly known: readonly (number | undefined)[];
    readonly recent?: RecentTokens;
  },
): AnswerLength {
  const stated = envelope.maxOutputTokens;
  if (unlimitable) return fixedLength(stated ?? Math.max(likelyFirst, fileTokens));
  const { outputMost = 0 } = recent ?? {};
  const most = stated ??
    Math.max(...known.map((limit) => limit ?? Math.max(unknownMost, 2 * outputMost)));
  const least = Math.min(most, (envelope.thinkingTokens ?? 0) + useful(recent));
  return {
    most,
    likely: stated ?? Math.max(least, Math.min(most, likely(recent))),
    least,
    longest: stated ??
      Math.min(...known.map((limit) => limit ?? Math.max(unknownLongest, outputMost))),
    isLimitable: true,
  };
}

function fixedLength(tokens: number): AnswerLength {
  return { most: tokens, likely: tokens, least: tokens, longest: tokens, isLimitable: false };
}

/** Twice the longest recent answer, because the next may be longer. */
function likely(recent?: RecentTokens): number {
  return recent ? Math.max(recent.outputMost * 2, likelyMin) : likelyFirst;
}

/** The average recent answer, within bounds. */
function useful(recent?: RecentTokens): number {
  return Math.min(Math.max(recent?.outputAverage ?? usefulFirst, usefulMin), usefulMax);
}
