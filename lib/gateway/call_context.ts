import type { Caller } from "../accounts/authorize.ts";
import {
  changedError,
  type FinishReason,
  type GatewayError,
  isJsonObject,
  type JsonObject,
  type Note,
  refuserPath,
  waitSecondsMax,
  waitWords,
} from "../canonical/mod.ts";
import type { Call, ErrorChanges } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import type { Hold, OwnBudget, ServedTier } from "../ledger/mod.ts";
import type { Keeping, WithHistory } from "../responses_state/mod.ts";
import type { Attempt, RequestLogRow } from "../store/log/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { apiLanguage, sentenceOf, type Verdict, verdictOf, withCharge } from "../verdict/mod.ts";
import type { CallRecording } from "./call_recording.ts";
import type { ChainCall } from "./chain_route.ts";
import type { Compacting } from "./compaction.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** The parts of a call that its errors depend on. */
type ErrorsCall = Pick<Call, "id" | "url" | "codec" | "request">;

/** The facts of a call for its log row, filled in by the stages that it passes. */
export class CallRecord implements ErrorChanges {
  caller?: Caller;
  decoded?: Decoded;
  /** The estimated prompt tokens; computed on first use. */
  inputTokens?: number;
  hold?: Hold;
  /** The budgets of a client that shows them, read while its upstream answers; never rejects. */
  budgets?: Promise<readonly OwnBudget[]>;
  candidate?: Candidate;
  /** Present if the caller stated a virtual model. */
  chain?: ChainCall;
  /** Conversion notes of the request. */
  notes: readonly Note[] = [];
  /** The tier and region from the response headers, used if the answer itself has none. */
  served?: ServedTier & { readonly isPlace?: true };
  /** The attempts so far, in order. One whose answer has started counts as completed for now. */
  readonly attempts: Attempt[] = [];
  finishReasons?: () => readonly FinishReason[];
  /** Set if the refusal has no row, because the store cannot record it. */
  isUnrecorded?: boolean;
  /** True while the answer costs nothing if it fails: the caller could not use what it got. */
  isFree?: boolean;
  /** Present if request and answer are recorded. */
  recording?: CallRecording | undefined;
  /** The first call with the same idempotency key, if this one gets its answer. */
  replayed?: Pick<RequestLogRow, "model" | "stream"> & { readonly requestId: string };
  /** The milliseconds until the first byte was ready for the caller. */
  firstByteMs?: number;
  readonly #call: ErrorsCall;
  readonly #publicUrl: string | undefined;

  constructor(call: ErrorsCall, publicUrl?: string) {
    this.#call = call;
    this.#publicUrl = publicUrl;
  }

  /** The answer for the caller, recorded on its way if the call is recorded. */
  answered(response: Response): Response | Promise<Response> {
    return this.recording === undefined ? response : this.recording.answered(response);
  }

  word(error: GatewayError): GatewayError {
    const { codec, request } = this.#call;
    const repair = codec.repairMessage?.(error, request.headers);
    if (repair !== undefined) return changedError(error, { message: repair });
    const said = worded(error, this);
    const more = [waitOf(said), this.#usageOf(said)].filter((one) => one !== undefined);
    if (more.length === 0) return said;
    return changedError(said, { message: [said.message, ...more].join(" ") });
  }

  /** Where a person sees what a spent budget was spent on, if the gateway's address is known. */
  #usageOf({ code, limit }: GatewayError): string | undefined {
    const { key } = this.caller ?? {};
    if (code !== "insufficient_quota" || !limit || !key || !this.#publicUrl) return undefined;
    return `Usage: ${this.#publicUrl}/console/token/${key.id}`;
  }

  /**
   * Adds `error.refused_by` and `error.log_url`; an event without an object `error` is not the error
   * itself.
   */
  link(body: unknown, error: GatewayError): unknown {
    if (!isJsonObject(body) || !isJsonObject(body.error)) return body;
    const hasRow = this.caller && !this.isUnrecorded;
    const site = this.#publicUrl ?? this.#call.url.origin;
    const row = hasRow && { log_url: `${site}/console/log/${this.#call.id}` };
    return { ...body, error: { ...body.error, ...this.#refusedBy(error, site), ...row } };
  }

  /** The owner that refused the call, with the page on which that is changed. */
  #refusedBy(error: GatewayError, site: string): { readonly refused_by?: JsonObject } {
    const refuser = verdictOn(error, this)?.refuser ?? error.refuser;
    if (!refuser) return {};
    const url = site + refuserPath(refuser, this.caller?.key.id ?? refuser.id);
    return { refused_by: { ...refuser, url } };
  }
}

/** A call on its way through the gateway, and the facts known about it so far. */
export interface CallContext {
  /** The call; for a background response, a copy whose signal outlives the caller's. */
  readonly call: Call;
  readonly gateway: GatewayDeps;
  readonly record: CallRecord;
  /** Stores its answer; absent if it is not stored. */
  readonly keeping?: Keeping;
}

/** A call with the history that it continues, decoded as one request. */
export type ResolvedCall = CallContext & WithHistory & { readonly compacting?: Compacting };

/** A call at the start of the line. Its error messages match its log row, and link to it. */
export function callContextOf(arrived: Call, gateway: GatewayDeps): CallContext {
  const record = new CallRecord(arrived, gateway.publicUrl);
  return { call: { ...arrived, errors: record }, gateway, record };
}

/** Says a wait that is too long for a header. */
function waitOf(
  { retryable, limit, retryAfterSeconds: seconds = 0 }: GatewayError,
): string | undefined {
  if (!retryable || limit || seconds <= waitSecondsMax) return undefined; // a limit's refusal says it
  return `Try again in ${waitWords(seconds)}.`;
}

/**
 * An error that says who failed, whether the call was charged and what to do, like its log row. An
 * upstream's message is quoted; the gateway's own message stays as it is.
 */
function worded(error: GatewayError, record: CallRecord): GatewayError {
  const verdict = verdictOn(error, record);
  if (!verdict) return error;
  const { upstream, code } = verdict;
  if (upstream === undefined) {
    return changedError(error, { message: withCharge(error.message, verdict, apiLanguage) });
  }
  const words = wordsOf(error);
  const message = code === "context_length_exceeded" // clients recognize this failure by the beginning of its message
    ? `${words ?? error.message} — ${sentenceOf(verdict, apiLanguage)}`
    : sentenceOf(verdict, apiLanguage, words);
  return changedError(error, { message });
}

/** The verdict on a call that failed with an error; undefined if its caller is unknown. */
function verdictOn(error: GatewayError, record: CallRecord): Verdict | undefined {
  const { caller, decoded, attempts, candidate, firstByteMs, isFree = false } = record;
  return caller && verdictOf({
    errorCode: error.code,
    model: candidate?.model ?? decoded?.envelope.model ?? "",
    attempts,
    ...(error.limit && { refusedBy: error.limit }),
    ...(error.refuser && { refuser: error.refuser }),
    ...(candidate && { upstreamId: candidate.upstream.id }),
    ...(firstByteMs !== undefined && { firstByteMs }),
  }, { settled: isFree });
}

/** Claude Code (2026-11) makes its own advice of these words: to buy credits at its vendor. */
const accountWords = /credit balance is too low/i;

/**
 * The upstream's message, except for errors about the gateway's credential; the gateway's own
 * message only for connection failures.
 */
function wordsOf({ code, said, message }: GatewayError): string | undefined {
  if (code === "upstream_unauthorized" || accountWords.test(said?.message ?? "")) return undefined;
  return said ? said.message || undefined : message;
}

/** Returns true for a client that shows budgets in a way of its own; see `SpendingCodec`. */
export function showsSpending(
  { codec: { spending }, request }: Pick<Call, "codec" | "request">,
  caller?: Caller,
): boolean {
  if (!spending || !caller) return false;
  const userAgent = request.headers.get("user-agent") ?? "";
  return spending.showsTo({ userAgent, isSignedIn: caller.key.device !== undefined });
}
