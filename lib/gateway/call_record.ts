import {
  boundedUsage,
  type ErrorCode,
  type FormatName,
  type GatewayError,
  type Note,
  type Usage,
} from "../canonical/mod.ts";
import type { Caller } from "../accounts/authorize.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { outcomeOf, type StreamResult } from "../http/stream/transcoder.ts";
import type { Attempt, RequestLogRow, RequestOutcome } from "../store/log/mod.ts";
import type { Hold, Served } from "../ledger/mod.ts";
import { believedUsage } from "./believed_usage.ts";
import {
  countedUsage,
  estimatedUsage,
  flightUsage,
  likelyInputTokens,
  type SettledUsage,
  settledUsage,
} from "./settled_usage.ts";
import { keptWords } from "../upstreams/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";

/** What becomes known of a call on its way, for its row in the log. Filled in by the stages. */
export interface CallRecord {
  caller?: Caller;
  decoded?: Decoded;
  /** About as many tokens as its prompt has, once somebody wanted to know. */
  inputTokens?: number;
  /** What is set aside for it. */
  hold?: Hold;
  candidate?: Candidate;
  /** Those of the request. */
  notes: readonly Note[];
  /** How its upstream serves it, where the answer itself does not say. */
  served?: Served;
  /** Its tries so far, in order; one whose answer began counts as completed until more is known. */
  readonly attempts: Attempt[];
  /** Set where a refusal has no row, since the store cannot record it. */
  isUnrecorded?: boolean;
  /** Milliseconds until the caller's first byte was there. */
  firstByteMs?: number;
}

/** The row of a call that was answered, however its answer ended. */
export function answeredRow(
  call: Call,
  record: CallRecord,
  result: StreamResult,
): RequestLogRow | undefined {
  return rowOf(call, record, {
    status: 200,
    ...endingOf(result, record),
    answerNotes: result.notes ?? [],
    ...usageFields(
      record,
      settledUsage(result, record.decoded),
      () => countedUsage(result, record.decoded),
    ),
  });
}

/** A prompt that the upstream blocked is no answer, although it looks like one. */
function endingOf(
  { outcome, error, promptBlocked }: StreamResult,
  record: CallRecord,
): Pick<Ended, "outcome" | ErrorField> {
  if (outcome === "completed" && promptBlocked) {
    return { outcome: "refused", errorCode: "content_blocked" satisfies ErrorCode };
  }
  return { outcome, ...(error && errorFields(error, record, record.attempts.slice(-1))) };
}

type ErrorField = "errorCode" | "errorType" | "errorMessage";

/** The error and its words, unless one of these attempts failed with it and has them. */
function errorFields(
  error: GatewayError,
  { decoded, candidate }: CallRecord,
  attempts: readonly Attempt[],
): Pick<Ended, ErrorField> {
  const { code } = error;
  const isKept = attempts.some(({ errorCode }) => errorCode === code);
  if (isKept || code === "client_closed") return { errorCode: code };
  const credentials = candidate?.upstream.credentials ?? [];
  return { errorCode: code, ...keptWords(error, { body: decoded?.wire.body, credentials }) };
}

/** The charged usage, and the other number where the two differ too much. */
function usageFields(
  { decoded, hold, served }: CallRecord,
  settled: SettledUsage,
  counted: () => Usage,
): Pick<Ended, UsageField> {
  const { usageSource, usage, statedUsage, countedUsage } = believedUsage(settled, {
    counted,
    ...(decoded && { asked: decoded }),
    ...(hold?.outputTokens !== undefined && { outputTokens: hold.outputTokens }),
  });
  return {
    ...(usage && { usage: servedUsage(boundedUsage(usage), served) }),
    usageSource,
    ...(statedUsage && { statedUsage: boundedUsage(statedUsage) }),
    ...(countedUsage && { countedUsage: boundedUsage(countedUsage) }),
  };
}

/** The usage with the tier and the region that served it; its own go before those of the answer's head. */
function servedUsage(usage: Usage, served: Served = {}): Usage {
  const { servedTier = served.tier, servedRegion = served.region } = usage;
  return {
    ...usage,
    ...(servedTier !== undefined && { servedTier }),
    ...(servedRegion !== undefined && { servedRegion }),
  };
}

/** The row that a call in flight is to have if nothing more is heard of this isolate. */
export function flightRow(
  call: Call,
  record: CallRecord,
  result: StreamResult,
): RequestLogRow | undefined {
  return rowOf(call, record, {
    status: 200,
    outcome: "truncated",
    errorCode: "interrupted",
    answerNotes: result.notes ?? [],
    ...usageFields(
      record,
      flightUsage(result, () => promptTokensOf(record)),
      () => estimatedUsage(result, () => promptTokensOf(record)),
    ),
  });
}

/** About as many tokens as a call's prompt has; estimated once, since a call may be long in flight. */
export function promptTokensOf(record: CallRecord): number {
  return record.inputTokens ??= record.decoded ? likelyInputTokens(record.decoded) : 0;
}

/** The row of a call that got an error instead of an answer; undefined where nobody was authorised. */
export function refusedRow(
  call: Call,
  record: CallRecord,
  error: GatewayError,
): RequestLogRow | undefined {
  const outcome: RequestOutcome = isOwnRefusal(record, error) ? "refused" : outcomeOf(error);
  return rowOf(call, record, {
    status: error.status,
    outcome,
    ...errorFields(error, record, record.attempts),
    ...(error.limit && { refusedBy: error.limit }),
    usageSource: "none",
    answerNotes: [],
  });
}

/** Nothing was sent, or nothing that an upstream had to say of it: the request itself was at fault. */
function isOwnRefusal({ candidate }: CallRecord, error: GatewayError): boolean {
  if (error.code === "client_closed") return false;
  return !candidate || (error.status < 500 && error.upstreamStatus === undefined);
}

type UsageField = "usage" | "usageSource" | "statedUsage" | "countedUsage";
type Ended = Pick<
  RequestLogRow,
  "status" | "outcome" | ErrorField | "refusedBy" | UsageField
>;
type EndedWithNotes = Ended & { readonly answerNotes: readonly Note[] };

function rowOf(
  call: Call,
  record: CallRecord,
  { answerNotes, ...ended }: EndedWithNotes,
): RequestLogRow | undefined {
  if (!record.caller) return undefined;
  const notes = [...record.notes, ...answerNotes];
  const { key } = record.caller;
  const userAgent = call.request.headers.get("user-agent");
  const tag = tagOf(call.request.headers);
  return {
    id: call.id,
    atMs: call.startedAtMs,
    accountId: key.accountId,
    keyId: key.id,
    keyName: key.name,
    groupId: key.groupId,
    model: record.decoded?.envelope.model ?? call.parameter ?? "",
    ...candidateFields(record.candidate),
    format: call.codec.name,
    operation: call.endpoint.operation,
    stream: record.decoded?.envelope.stream ?? false,
    ...(tag && { tag }),
    ...ended,
    ...(notes.length > 0 && { notes }),
    ...attemptFields(record, ended),
    ...(record.firstByteMs !== undefined && { firstByteMs: record.firstByteMs }),
    durationMs: Math.round(performance.now() - call.startedAt),
    ...(userAgent && { userAgent: userAgent.slice(0, 200) }),
    ip: call.ip,
  };
}

/** Our own header first, then those by which command-line agents name their sessions. */
const tagHeaders = ["tessera-tag", "x-claude-code-session-id", "session_id", "x-session-id"];

function tagOf(headers: Headers): string | undefined {
  for (const name of tagHeaders) {
    const tag = headers.get(name)?.trim();
    if (tag) return tag;
  }
}

/** The attempt that was answered ended as its answer did. */
function attemptFields(
  { attempts }: CallRecord,
  { outcome, errorCode }: Ended,
): { attempts?: readonly Attempt[] } {
  const last = attempts.at(-1);
  if (!last) return {};
  if (last.errorCode !== undefined) return { attempts: [...attempts] };
  const answered = { ...last, outcome, ...(errorCode !== undefined && { errorCode }) };
  return { attempts: [...attempts.slice(0, -1), answered] };
}

function candidateFields(
  candidate?: Candidate,
): { upstreamId?: string; upstreamModel?: string; upstreamFormat?: FormatName } {
  if (!candidate) return {};
  const { upstream, upstreamModel, format } = candidate;
  return { upstreamId: upstream.id, upstreamModel, ...(format && { upstreamFormat: format }) };
}
