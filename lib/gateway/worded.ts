import { changedError, type GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { EventEncoder } from "../formats/stream.ts";
import type { Call } from "../http/call.ts";
import { apiLanguage, sentenceOf, verdictOf, withCharge } from "../verdict/mod.ts";
import type { CallRecord } from "./call_record.ts";

/**
 * Wraps a call so that its errors say who failed, whether it was charged and what to do, like its
 * log row. An upstream's message is quoted; the gateway's own message stays as it is.
 */
export function withSentences(call: Call, record: CallRecord): Call {
  return { ...call, codec: wording(call.codec, (error) => worded(error, record)) };
}

function wording(codec: Codec, word: (error: GatewayError) => GatewayError): Codec {
  return {
    ...codec,
    encodeError: (error, requestId) => codec.encodeError(word(error), requestId),
    encodeStreamError: (error, requestId, sent) =>
      codec.encodeStreamError(word(error), requestId, sent),
    eventEncoder: (context) => wordingEncoder(codec.eventEncoder(context), word),
  };
}

function wordingEncoder(
  encoder: EventEncoder,
  word: (error: GatewayError) => GatewayError,
): EventEncoder {
  return {
    push: (event) =>
      encoder.push(event.type === "error" ? { ...event, error: word(event.error) } : event),
  };
}

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
