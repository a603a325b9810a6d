import {
  errorCatalog,
  type ErrorCode,
  hasHiddenAmounts,
  type LimitState,
  type Refuser,
} from "../canonical/mod.ts";
import type { Attempt, RequestLogRow } from "../store/log/mod.ts";
import { refuserIn } from "./refuser.ts";

/** The error code of a log row. The log adds `interrupted` to the codes of the API. */
type FailureCode = ErrorCode | "interrupted";

/** The fields of a log row that describe a failed call. */
export type FailedCall =
  & Pick<RequestLogRow, "errorCode" | "model">
  & Partial<
    Pick<
      RequestLogRow,
      | "accountId"
      | "attempts"
      | "costNanoUsd"
      | "errorMessage"
      | "errorType"
      | "firstByteMs"
      | "groupId"
      | "keyId"
      | "projectId"
      | "refusedBy"
      | "refuser"
      | "upstreamId"
    >
  >;

/** The failed party, the failure, and its consequences for the caller. */
export interface Verdict {
  readonly code: FailureCode;
  /** The upstream that failed; absent if the gateway itself refused the call. */
  readonly upstream?: string;
  /** That upstream's own status, type and code. */
  readonly status?: number;
  readonly type?: string;
  /** The message of the upstream or of the gateway, if it was stored. */
  readonly message?: string;
  /** The number of attempts on upstreams, and whether all of them failed in the same way. */
  readonly tries: number;
  readonly allAlike: boolean;
  /** True if at most one upstream was tried. */
  readonly oneUpstream: boolean;
  readonly model: string;
  readonly limit?: LimitState;
  /** The owner of the limit or rule that refused the call, or an upstream that answered an error. */
  readonly refuser?: Refuser;
  /** The charge; absent until the call is settled. */
  readonly chargedNanoUsd?: bigint;
  /** True if a part of the answer was sent. */
  readonly answered: boolean;
  /** True if a retry of the same call may succeed. */
  readonly retryable: boolean;
  /** True if the last attempt was refused before anything was sent. */
  readonly unsent: boolean;
}

/** Failures of the gateway itself, even after attempts on upstreams. */
const own: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "client_closed",
  "conversion_lossy",
  "internal_error",
  "interrupted",
  "no_upstream",
  "shutting_down",
]);

/**
 * Reads the verdict from a log row. Returns undefined if the call succeeded, or failed with a code
 * of a later release. The charge of a partial answer is unknown until the call is settled.
 */
export function verdictOf(row: FailedCall, { settled = true } = {}): Verdict | undefined {
  const code = codeOf(row.errorCode);
  if (code === undefined) return undefined;
  const { attempts = [], model, refusedBy, costNanoUsd } = row;
  const failed = failedTry(row, code);
  const { errorType, errorMessage } = row.errorMessage === undefined ? failed ?? row : row;
  const answered = row.firstByteMs !== undefined;
  const tried = new Set(attempts.map(({ upstreamId }) => upstreamId));
  const upstream = failed?.upstreamId ?? (attempts.length > 0 ? undefined : row.upstreamId);
  const unsent = !own.has(code) && failed !== undefined && isUnsent(failed);
  const isTheirs = upstream !== undefined && !own.has(code) && !refusedBy && !unsent;
  const { status } = statusOf(failed);
  const refuser = refuserIn(row) ??
    (isTheirs && status !== undefined ? { owner: "provider" as const, id: upstream } : undefined);
  return {
    code,
    ...(isTheirs && { upstream, ...statusOf(failed) }),
    ...(refuser && { refuser }),
    ...(isTheirs && errorType !== undefined && { type: errorType }),
    ...(errorMessage !== undefined && { message: errorMessage }),
    tries: attempts.length,
    allAlike: attempts.every((one) => isAlike(one, attempts[0])),
    oneUpstream: tried.size <= 1,
    model,
    ...(refusedBy && { limit: refusedBy }),
    ...((settled || !answered) && { chargedNanoUsd: costNanoUsd ?? 0n }),
    answered,
    retryable: code === "interrupted" || errorCatalog[code].retryable,
    unsent,
  };
}

function codeOf(text: string | undefined): FailureCode | undefined {
  if (text === undefined) return undefined;
  return text === "interrupted" || Object.hasOwn(errorCatalog, text)
    ? text as FailureCode // a key of the catalog
    : undefined;
}

/** The attempt that failed the call: the last one with this code, or one that has not ended. */
function failedTry({ attempts = [] }: FailedCall, code: FailureCode): Attempt | undefined {
  return attempts.findLast(({ errorCode = code }) => errorCode === code);
}

/** Returns true if the gateway refused the attempt itself: a prompt that an upstream blocked has a status. */
function isUnsent({ outcome, status }: Attempt): boolean {
  return outcome === "refused" && status === undefined;
}

/** Omits the status of an answer that started with 200 and failed later. */
function statusOf(failed: Attempt | undefined): Pick<Verdict, "status"> {
  const status = failed?.status;
  return status === undefined || status < 400 ? {} : { status };
}

function isAlike(a: Attempt, b: Attempt): boolean {
  return a.errorCode === b.errorCode && a.status === b.status && a.upstreamId === b.upstreamId;
}

/** A verdict with its amounts and names in the reader's language. */
export interface NamedVerdict extends Verdict {
  /** The limit that refused, such as `the key's daily budget`. */
  readonly limitName?: string;
  readonly limitLeft?: string;
  /** The refuser, such as `The project research`; `The key` if that is unknown. */
  readonly refuserName: string;
  /** The upstream's status and error type: `429, requests`; empty without either. */
  readonly detail: string;
}

type Says = (call: NamedVerdict) => string;

/** The sentences of one language about failed calls. */
export interface VerdictWords {
  /** An upstream's failure, for codes that say more than its status. */
  readonly upstream: Readonly<Partial<Record<FailureCode, Says>>>;
  readonly upstreamReturned: Says;
  /** A refusal or a failure of the gateway itself. */
  readonly gateway: Readonly<Record<FailureCode, Says>>;
  readonly onAll: (tries: number) => string;
  readonly onLast: (tries: number) => string;
  /** Makes a sentence of `what`, with the original message `said` in it. */
  readonly saying: (what: string, said?: string) => string;
  /** For a request that was refused before anything was sent. */
  readonly notSent: string;
  readonly notCharged: string;
  readonly charged: (amount: string) => string;
  readonly deliveredCharged: string;
  readonly safeToRetry: string;
  /** For a call that failed after part of its answer was sent. */
  readonly retryStartsOver: string;
  /** Advice beyond a retry, for failures of the gateway. */
  readonly remedies: Readonly<Partial<Record<FailureCode, Says>>>;
  /** Advice beyond a retry, for failures of an upstream. */
  readonly upstreamRemedies: Readonly<Partial<Record<FailureCode, Says>>>;
  /** The separator of two sentences. */
  readonly space: string;
}

/** The reader's language, with its formats of amounts and limits. */
export interface VerdictLanguage {
  readonly words: VerdictWords;
  readonly money: (nanoUsd: bigint) => string;
  readonly limitName: (limit: LimitState) => string;
  readonly refuserName: (refuser: Refuser) => string;
  readonly limitAmount: (limit: LimitState, amount: bigint) => string;
}

/**
 * Names the failed party and the failure, then the charge, then the advice: whether a retry is
 * safe, or what to do instead. The original message `said` is quoted if given.
 */
export function sentenceOf(verdict: Verdict, language: VerdictLanguage, said?: string): string {
  const { words } = language;
  const { what, fault, advice } = partsOf(verdict, language);
  return joined([words.saying(what, said), fault, chargeOf(verdict, language), advice], words);
}

/** The parts of the sentence, for a page that shows them apart. */
export function sentenceParts(verdict: Verdict, language: VerdictLanguage) {
  const { words } = language;
  const { what, fault, advice } = partsOf(verdict, language);
  return { what: joined([words.saying(what), fault], words), advice };
}

/**
 * The same sentence for several calls with the same failure, without what differs between them: the
 * charge, the number of attempts, and the amount that a limit had left.
 */
export function sentenceOfMany(verdict: Verdict, { words, ...language }: VerdictLanguage): string {
  const { limitLeft: _, ...call } = namedVerdictOf({ ...verdict, tries: 1 }, {
    words,
    ...language,
  });
  const { what, fault, advice } = namedParts(call, words);
  return joined([words.saying(what), fault, advice], words);
}

/**
 * Appends the fault, if nothing was sent, and the charge to a finished sentence, unless the sentence
 * already contains the charge.
 */
export function withCharge(said: string, verdict: Verdict, language: VerdictLanguage): string {
  const charge = chargeOf(verdict, language);
  const { words } = language;
  if (said.includes(charge)) return said;
  return joined([words.saying(said), faultOf(verdict, words), charge], words);
}

function partsOf(verdict: Verdict, language: VerdictLanguage) {
  return namedParts(namedVerdictOf(verdict, language), language.words);
}

function namedParts(call: NamedVerdict, words: VerdictWords) {
  const { code, upstream } = call;
  const theirs = upstream === undefined ? undefined : words.upstreamRemedies[code];
  const says = theirs ?? (upstream === undefined ? words.remedies[code] : undefined);
  return {
    what: whatOf(call, words),
    fault: faultOf(call, words),
    advice: says?.(call) ?? retryOf(call, words),
  };
}

function faultOf({ unsent }: Verdict, { notSent }: VerdictWords): string {
  return unsent ? notSent : "";
}

function whatOf(call: NamedVerdict, words: VerdictWords): string {
  const { upstream, code, tries, allAlike } = call;
  if (upstream === undefined) return words.gateway[code](call);
  const does = (words.upstream[code] ?? words.upstreamReturned)(call);
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

function namedVerdictOf(
  verdict: Verdict,
  { limitName, limitAmount, refuserName }: VerdictLanguage,
): NamedVerdict {
  const { limit, refuser = { owner: "key", id: "" }, status, type } = verdict;
  const named = [status, type].filter((one) => one !== undefined);
  return {
    ...verdict,
    ...(limit && {
      limitName: limitName(limit),
      ...(!hasHiddenAmounts(limit) && { limitLeft: limitAmount(limit, limit.remaining) }),
    }),
    refuserName: refuserName(refuser),
    detail: named.join(", "),
  };
}
