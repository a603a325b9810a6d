import { changedError, type GatewayError } from "../canonical/mod.ts";
import { apiLanguage, sentenceOf, verdictOf, withCharge } from "../verdict/mod.ts";
import type { CallRecord } from "./call_record.ts";

/**
 * An error that says who failed, whether the call was charged and what to do, like its log row. An
 * upstream's message is quoted; the gateway's own message stays as it is.
 */
export function worded(error: GatewayError, record: CallRecord): GatewayError {
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
