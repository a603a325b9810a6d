import type { Caller } from "../accounts/authorize.ts";
import {
  boundedUsage,
  type ErrorCode,
  type FinishReason,
  type FormatName,
  type GatewayError,
  type Note,
  type Usage,
} from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { outcomeOf, type StreamResult } from "../http/stream/transcoder.ts";
import type { Hold, ServedTier } from "../ledger/mod.ts";
import type { Attempt, RequestLogRow, RequestOutcome } from "../store/log/mod.ts";
import { keptWords } from "../upstreams/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { believedUsage } from "./believed_usage.ts";
import { tagHeader } from "./call_tags.ts";
import {
  countedUsage,
  estimatedUsage,
  flightUsage,
  likelyInputTokens,
  type SettledUsage,
  settledUsage,
} from "./settled_usage.ts";

/** The facts of a call for its log row, filled in by the stages that it passes. */
export interface CallRecord {
  caller?: Caller;
  decoded?: Decoded;
  /** The estimated prompt tokens; computed on first use. */
  inputTokens?: number;
  /** The call's reservations. */
  hold?: Hold;
  candidate?: Candidate;
  /** Conversion notes of the request. */
  notes: readonly Note[];
  /** The tier and region from the response headers, used if the answer itself has none. */
  served?: ServedTier;
  /** The attempts so far, in order. One whose answer has started counts as completed for now. */
  readonly attempts: Attempt[];
  /** Reads the finish reasons of its answer. */
  finishReasons?: () => readonly FinishReason[];
  /** Set if the refusal has no row, because the store cannot record it. */
  isUnrecorded?: boolean;
  /** The milliseconds until the first byte was ready for the caller. */
  firstByteMs?: number;
}

/** The row of an answered call, however its answer ended. */
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

/** Logs a blocked prompt as refused, although the upstream answers it with 200. */
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

/** The error's fields; its message is left out if an attempt with the same code has it. */
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

/** The charged usage, and the other measurement if the two differ too much. */
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

/** The usage with its tier and region; its own win over those from the response headers. */
function servedUsage(usage: Usage, served: ServedTier = {}): Usage {
  const { servedTier = served.tier, servedRegion = served.region } = usage;
  if (servedTier === usage.servedTier && servedRegion === usage.servedRegion) return usage;
  return {
    ...usage,
    ...(servedTier !== undefined && { servedTier }),
    ...(servedRegion !== undefined && { servedRegion }),
  };
}

/** The row of a call without an answer yet, if this isolate dies now. */
export function sentRow(call: Call, record: CallRecord): RequestLogRow | undefined {
  return rowOf(call, record, { ...killed, status: 503, usageSource: "none", answerNotes: [] });
}

/** The end of a call whose isolate died. */
const killed = { outcome: "truncated", errorCode: "interrupted" } as const;

/** The row of an answer in progress, if this isolate dies now. */
export function flightRow(
  call: Call,
  record: CallRecord,
  result: StreamResult,
): RequestLogRow | undefined {
  return rowOf(call, record, {
    ...killed,
    status: 200,
    answerNotes: result.notes ?? [],
    ...usageFields(
      record,
      flightUsage(result, () => promptTokensOf(record)),
      () => estimatedUsage(result, () => promptTokensOf(record)),
    ),
  });
}

/** The estimated prompt tokens; cached, because every heartbeat of a long call needs them. */
export function promptTokensOf(record: CallRecord): number {
  return record.inputTokens ??= record.decoded ? likelyInputTokens(record.decoded) : 0;
}

/** The row of a call that got an error instead of an answer; undefined if the caller is unknown. */
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

/** Returns true if the gateway itself refused the call, because of the request. */
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
  const { key, project, tags } = record.caller;
  const userAgent = call.request.headers.get("user-agent");
  const tag = tagOf(call.request.headers);
  return {
    id: call.id,
    atMs: call.startedAtMs,
    accountId: key.accountId,
    keyId: key.id,
    keyName: key.name,
    groupId: key.groupId,
    ...(project && { projectId: project.id }),
    model: record.decoded?.envelope.model ?? call.parameter ?? "",
    ...candidateFields(record.candidate),
    format: call.codec.name,
    operation: call.endpoint.operation,
    stream: record.decoded?.envelope.stream ?? false,
    ...(tag && { tag }),
    ...(tags && { tags: tags.map(({ text }) => text) }),
    ...ended,
    ...(notes.length > 0 && { notes }),
    ...attemptFields(record, ended),
    ...(record.firstByteMs !== undefined && { firstByteMs: record.firstByteMs }),
    durationMs: Math.round(performance.now() - call.startedAt),
    ...(userAgent && { userAgent: userAgent.slice(0, 200) }),
    ip: call.ip,
  };
}

/** Headers that tag a call: our own first, then the session headers of command-line agents. */
const tagHeaders = [tagHeader, "x-claude-code-session-id", "session_id", "x-session-id"];

function tagOf(headers: Headers): string | undefined {
  for (const name of tagHeaders) {
    const tag = headers.get(name)?.trim();
    if (tag) return tag;
  }
}

/** The attempts; the answered one takes the outcome of its answer. */
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
