import { changedError, type GatewayError, isJsonObject } from "../canonical/mod.ts";
import type { Call, ErrorChanges } from "../http/call.ts";
import type { Keeping, WithHistory } from "../responses_state/mod.ts";
import { apiLanguage, sentenceOf, verdictOf, withCharge } from "../verdict/mod.ts";
import { CallRecord } from "./call_record.ts";
import type { GatewayDeps } from "./dependencies.ts";

/**
 * An error that says who failed, whether the call was charged and what to do, like its log row. An
 * upstream's message is quoted; the gateway's own message stays as it is.
 */
function worded(error: GatewayError, record: CallRecord): GatewayError {
  const { caller, decoded, attempts, candidate, firstByteMs } = record;
  const verdict = caller && verdictOf({
    errorCode: error.code,
    model: decoded?.envelope.model ?? "",
    attempts,
    ...(error.limit && { refusedBy: error.limit }),
    ...(candidate && { upstreamId: candidate.upstream.id }),
    ...(firstByteMs !== undefined && { firstByteMs }),
  }, { settled: false });
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

/**
 * The upstream's message, except for errors about the gateway's credential; the gateway's own
 * message only for connection failures.
 */
function wordsOf({ code, said, message }: GatewayError): string | undefined {
  if (code === "upstream_unauthorized") return undefined;
  return said ? said.message || undefined : message;
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
export type ResolvedCall = CallContext & WithHistory;

/** A call at the start of the line. Its error messages match its log row, and link to it. */
export function callContextOf(arrived: Call, gateway: GatewayDeps): CallContext {
  const record = new CallRecord();
  const call = { ...arrived, errors: new RecordedErrors(arrived, record, gateway.publicUrl) };
  return { call, gateway, record };
}

/** The errors of a call: in the words of its log row, with a link to it once there is one. */
class RecordedErrors implements ErrorChanges {
  readonly #call: Call;
  readonly #record: CallRecord;
  readonly #publicUrl: string | undefined;

  constructor(call: Call, record: CallRecord, publicUrl?: string) {
    this.#call = call;
    this.#record = record;
    this.#publicUrl = publicUrl;
  }

  word(error: GatewayError): GatewayError {
    return worded(error, this.#record);
  }

  /** Adds `error.log_url`; an event without an object `error` is not the error itself. */
  link(body: unknown): unknown {
    const { caller, isUnrecorded } = this.#record;
    if (!caller || isUnrecorded || !isJsonObject(body) || !isJsonObject(body.error)) return body;
    const url = `${this.#publicUrl ?? this.#call.url.origin}/console/log/${this.#call.id}`;
    return { ...body, error: { ...body.error, log_url: url } };
  }
}
