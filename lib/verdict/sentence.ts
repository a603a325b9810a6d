import type { LimitState } from "../canonical/mod.ts";
import type { FailureCode, Verdict } from "./verdict.ts";

/** A verdict with its amounts and names in the reader's language. */
export interface Told extends Verdict {
  /** The limit that refused, such as `the key's daily budget`. */
  readonly limitName?: string;
  readonly limitLeft?: string;
  /** What an upstream answered with: `429, requests`; empty where it named nothing. */
  readonly detail: string;
}

type Says = (told: Told) => string;

/** How one language says what became of a call. */
export interface VerdictWords {
  /** What an upstream did, where its status alone does not say it. */
  readonly upstream: Readonly<Partial<Record<FailureCode, Says>>>;
  readonly upstreamReturned: Says;
  /** What the gateway refused, or what failed in it. */
  readonly gateway: Readonly<Record<FailureCode, Says>>;
  readonly onAll: (tries: number) => string;
  readonly onLast: (tries: number) => string;
  /** A sentence, with what was said in it. */
  readonly saying: (what: string, said?: string) => string;
  readonly notCharged: string;
  readonly charged: (amount: string) => string;
  readonly deliveredCharged: string;
  readonly safeToRetry: string;
  /** After a part of an answer went out. */
  readonly retryStartsOver: string;
  /** What to do, where that is more than to try again. */
  readonly remedies: Readonly<Partial<Record<FailureCode, Says>>>;
  /** The same where an upstream failed. */
  readonly upstreamRemedies: Readonly<Partial<Record<FailureCode, Says>>>;
  /** What stands between two sentences. */
  readonly space: string;
}

/** The reader's language, and how it writes amounts and limits. */
export interface VerdictLanguage {
  readonly words: VerdictWords;
  readonly money: (nanoUsd: bigint) => string;
  readonly limitName: (limit: LimitState) => string;
  readonly limitAmount: (limit: LimitState, amount: bigint) => string;
}

/**
 * Who failed and what it did, then whether the call was charged, whether it is safe to retry, and what
 * to do else. With `said`, those words stand in it.
 */
export function sentenceOf(verdict: Verdict, language: VerdictLanguage, said?: string): string {
  const { words } = language;
  const { what, advice } = partsOf(verdict, language);
  return joined([words.saying(what, said), chargeOf(verdict, language), advice], words);
}

/** The same for many calls that failed alike: what each was charged is left out. */
export function sentenceOfMany(verdict: Verdict, language: VerdictLanguage): string {
  const { what, advice } = partsOf(verdict, language);
  return joined([language.words.saying(what), advice], language.words);
}

/** A sentence that is said already, and whether the call was charged. */
export function withCharge(said: string, verdict: Verdict, language: VerdictLanguage): string {
  const charge = chargeOf(verdict, language);
  const { words } = language;
  return said.includes(charge) ? said : joined([words.saying(said), charge], words);
}

function partsOf(verdict: Verdict, language: VerdictLanguage) {
  const { words } = language;
  const told = toldOf(verdict, language);
  const { code, upstream } = verdict;
  const theirs = upstream === undefined ? undefined : words.upstreamRemedies[code];
  const says = theirs ?? (upstream === undefined ? words.remedies[code] : undefined);
  return { what: whatOf(told, words), advice: says?.(told) ?? retryOf(verdict, words) };
}

function whatOf(told: Told, words: VerdictWords): string {
  const { upstream, code, tries, allAlike } = told;
  if (upstream === undefined) return words.gateway[code](told);
  const does = (words.upstream[code] ?? words.upstreamReturned)(told);
  if (tries < 2) return does;
  return does + (allAlike ? words.onAll(tries) : words.onLast(tries));
}

function chargeOf({ chargedNanoUsd }: Verdict, { words, money }: VerdictLanguage): string {
  if (chargedNanoUsd === undefined) return words.deliveredCharged;
  return chargedNanoUsd > 0n ? words.charged(money(chargedNanoUsd)) : words.notCharged;
}

function retryOf({ retryable, answered }: Verdict, words: VerdictWords): string {
  if (!retryable) return "";
  return answered ? words.retryStartsOver : words.safeToRetry;
}

function joined(parts: readonly string[], { space }: VerdictWords): string {
  return parts.filter((part) => part !== "").join(space);
}

function toldOf(verdict: Verdict, { limitName, limitAmount }: VerdictLanguage): Told {
  const { limit, status, type } = verdict;
  const named = [status, type].filter((one) => one !== undefined);
  return {
    ...verdict,
    ...(limit && {
      limitName: limitName(limit),
      limitLeft: limitAmount(limit, limit.remaining),
    }),
    detail: named.join(", "),
  };
}
