import type { RecentTokens } from "./recent_use.ts";

/** The members of a request that limit the length of its answer. */
export interface LimitedAnswer {
  readonly envelope: { readonly maxOutputTokens?: number; readonly thinkingTokens?: number };
  /** True if its body cannot state an output limit. */
  readonly unlimitable?: boolean;
  /** Maximum tokens of files in addition to the body's text. */
  readonly fileTokens?: number;
}

/** How many tokens each alternative of an answer may have, thinking included. */
export interface AnswerLength {
  /** As many as the caller or the model allows. */
  readonly most: number;
  /** All of them where the caller sets a limit; else as many as such answers hardly have. */
  readonly likely: number;
  /** The fewest that are of use. */
  readonly least: number;
  /** No limit that the gateway sets itself is higher: one of the models might refuse it. */
  readonly longest: number;
  /** Whether the request can hold a limit. */
  readonly isLimitable: boolean;
}

/** Assumed where neither the caller nor the catalog limits the answer. */
const unknownMost = 32_768;
/** Practically every model takes such a limit. */
const unknownLongest = 8_192;
/** Taken where there are no recent answers to judge by. */
const likelyFirst = 4_096;
const likelyMin = 256;
/** Some vendors refuse lower limits (OpenAI, responses; 2026-11-22). */
const usefulMin = 16;
const usefulFirst = 32;
const usefulMax = 256;

/** `known` are the own limits of all models that may answer, undefined for those of which nobody says it. */
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

/** Twice what recent answers had, since the next may be longer. */
function likely(recent?: RecentTokens): number {
  return recent ? Math.max(recent.outputMost * 2, likelyMin) : likelyFirst;
}

/** As long as recent answers, where they were short. */
function useful(recent?: RecentTokens): number {
  return Math.min(Math.max(recent?.outputAverage ?? usefulFirst, usefulMin), usefulMax);
}
