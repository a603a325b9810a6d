import type { Caller } from "../accounts/authorize.ts";
import {
  boundedUsage,
  type ErrorCode,
  type GatewayError,
  type Note,
  type Usage,
} from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import { outcomeOf, type StreamResult } from "../http/stream/transcoder.ts";
import type { ServedTier } from "../ledger/mod.ts";
import type { Attempt, RequestLogRow, RequestOutcome } from "../store/log/mod.ts";
import { keptWords } from "../upstreams/mod.ts";
import { type BelievedUsage, believedUsage } from "./believed_usage.ts";
import type { CallRecord } from "./call_context.ts";
import { chainOfRow } from "./chain_route.ts";
import { tagHeader } from "./call_tags.ts";
import {
  countedUsage,
  estimatedUsage,
  flightUsage,
  likelyInputTokens,
  settledUsage,
} from "./settled_usage.ts";

/** The row of an answered call, however its answer ended. */
export function answeredRow(
  call: Call,
  record: CallRecord,
  result: StreamResult,
): RequestLogRow | undefined {
  const { decoded } = record;
  const settled = settledUsage(result, decoded);
  return rowOf(call, record, {
    status: 200,
    ...endingOf(result, record),
    notes: result.notes,
    used: believedUsage(settled, record, () => countedUsage(result, decoded)),
  });
}

/** Logs a blocked prompt as refused, although the upstream answers it with 200. */
function endingOf({ outcome, error, promptBlocked }: StreamResult, record: CallRecord): Ending {
  if (outcome === "completed" && promptBlocked) {
    return { outcome: "refused", error: { errorCode: "content_blocked" satisfies ErrorCode } };
  }
  return { outcome, error: error && errorFields(error, record, record.attempts.slice(-1)) };
}

type ErrorFields = Pick<RequestLogRow, "errorCode" | "errorType" | "errorMessage">;

/** The error's fields; its message is left out if an attempt with the same code has it. */
function errorFields(
  error: GatewayError,
  { decoded, candidate }: CallRecord,
  attempts: readonly Attempt[],
): ErrorFields {
  const { code } = error;
  const isKept = attempts.some(({ errorCode }) => errorCode === code);
  if (isKept || code === "client_closed") return { errorCode: code };
  const credentials = candidate?.upstream.credentials ?? [];
  return { errorCode: code, ...keptWords(error, { body: decoded?.wire.body, credentials }) };
}

/** The usage with its tier and region; its own win over those from the response headers, but for a cloud's place. */
function servedUsage(usage: Usage, served: CallRecord["served"] = {}): Usage {
  const { servedTier = served.tier } = usage;
  const servedRegion = served.isPlace ? served.region : usage.servedRegion ?? served.region;
  if (servedTier === usage.servedTier && servedRegion === usage.servedRegion) return usage;
  return {
    ...usage,
    ...(servedTier !== undefined && { servedTier }),
    ...(servedRegion !== undefined && { servedRegion }),
  };
}

/** The row of a call without an answer yet, if this isolate dies now. */
export function sentRow(call: Call, record: CallRecord): RequestLogRow | undefined {
  return rowOf(call, record, { ...killed, status: 503 });
}

/** The end of a call whose isolate died. */
const killed = { outcome: "truncated", error: { errorCode: "interrupted" } } as const;

/** The row of an answer in progress, if this isolate dies now. */
export function flightRow(
  call: Call,
  record: CallRecord,
  result: StreamResult,
): RequestLogRow | undefined {
  if (record.isFree) return rowOf(call, record, { ...killed, status: 200 });
  const promptTokens = () => promptTokensOf(record);
  const settled = flightUsage(result, promptTokens);
  const used = believedUsage(settled, record, () => estimatedUsage(result, promptTokens));
  return rowOf(call, record, { ...killed, status: 200, notes: result.notes, used });
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
  return rowOf(call, record, {
    status: error.status,
    outcome: isOwnRefusal(record, error) ? "refused" : outcomeOf(error),
    error: errorFields(error, record, record.attempts),
    refusedBy: error.limit,
    refuser: error.limit ? undefined : error.refuser,
  });
}

/** The row of a repeated call, which got the answer of the first one and costs nothing. */
export function replayedRow(
  call: Call,
  record: CallRecord,
  { outcome, error }: StreamResult,
): RequestLogRow | undefined {
  const row = rowOf(call, record, {
    status: 200,
    outcome,
    error: error && errorFields(error, record, []),
  });
  return row && { ...row, costNanoUsd: 0n, replayOf: record.replayed?.requestId };
}

/** Returns true if the gateway itself refused the call, because of the request. */
function isOwnRefusal({ candidate }: CallRecord, error: GatewayError): boolean {
  if (error.code === "client_closed") return false;
  return !candidate || (error.status < 500 && error.upstreamStatus === undefined);
}

interface Ending {
  readonly outcome: RequestOutcome;
  readonly error?: ErrorFields;
}

/** The facts of a row that are known at the end of its call only. */
interface Ended extends Ending, Pick<RequestLogRow, "status" | "refusedBy" | "refuser"> {
  readonly notes?: readonly Note[];
  /** Absent: the call used nothing. */
  readonly used?: BelievedUsage;
}

/** A row that is being written: members without a value are left out. */
type Draft = { -readonly [Field in keyof RequestLogRow]: RequestLogRow[Field] };

function rowOf(call: Call, record: CallRecord, ended: Ended): RequestLogRow | undefined {
  const { caller, decoded, candidate, chain, replayed } = record;
  if (!caller) return undefined;
  const { model, stream } = decoded?.envelope ?? replayed ?? { model: call.parameter };
  const row: Draft = {
    id: call.id,
    atMs: call.startedAtMs,
    accountId: caller.key.accountId,
    keyId: caller.key.id,
    keyName: caller.key.name,
    groupId: caller.key.groupId,
    model: candidate?.model ?? model ?? "",
    format: call.codec.name,
    operation: call.endpoint.operation,
    stream: stream ?? false,
    status: ended.status,
    outcome: ended.outcome,
    usageSource: ended.used?.usageSource ?? "none",
    durationMs: Math.round(performance.now() - call.startedAt),
    ip: call.ip,
  };
  if (call.socket !== undefined) row.socket = call.socket;
  if (chain) row.chain = chainOfRow(chain, record.attempts);
  addCaller(row, caller, call.request.headers);
  addAnswer(row, record, ended);
  if (ended.used) addUsage(row, ended.used, record.served);
  return row;
}

function addCaller(row: Draft, { project, tags, session }: Caller, headers: Headers): void {
  const userAgent = headers.get("user-agent");
  const tag = headers.get(tagHeader)?.trim();
  if (project) row.projectId = project.id;
  if (tag) row.tag = tag;
  if (tags) row.tags = tags.map(({ text }) => text);
  if (session) row.session = session;
  if (userAgent) row.userAgent = userAgent.slice(0, 200);
}

function addAnswer(
  row: Draft,
  { candidate, firstByteMs, notes, attempts }: CallRecord,
  ended: Ended,
): void {
  if (candidate) {
    row.upstreamId = candidate.upstream.id;
    row.upstreamModel = candidate.upstreamModel;
    if (candidate.format) row.upstreamFormat = candidate.format;
  }
  if (firstByteMs !== undefined) row.firstByteMs = firstByteMs;
  if (ended.error) Object.assign(row, ended.error);
  if (ended.refusedBy) row.refusedBy = ended.refusedBy;
  if (ended.refuser) row.refuser = ended.refuser;
  if (notes.length > 0 || ended.notes?.length) row.notes = [...notes, ...ended.notes ?? []];
  if (attempts.length > 0) row.attempts = endedAttempts(attempts, ended);
}

function addUsage(
  row: Draft,
  { usage, statedUsage, countedUsage }: BelievedUsage,
  served: ServedTier | undefined,
): void {
  if (usage) row.usage = servedUsage(boundedUsage(usage), served);
  if (statedUsage) row.statedUsage = boundedUsage(statedUsage);
  if (countedUsage) row.countedUsage = boundedUsage(countedUsage);
}

/** The attempts; the answered one takes the outcome of its answer. */
function endedAttempts(
  attempts: readonly Attempt[],
  { outcome, error }: Ending,
): readonly Attempt[] {
  const last = attempts[attempts.length - 1];
  if (last.errorCode !== undefined) return [...attempts];
  const errorCode = error?.errorCode;
  const answered = errorCode === undefined ? { ...last, outcome } : { ...last, outcome, errorCode };
  return [...attempts.slice(0, -1), answered];
}
