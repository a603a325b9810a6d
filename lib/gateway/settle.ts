import type { Caller } from "../accounts/authorize.ts";
import {
  type ErrorCode,
  GatewayError,
  totalInputTokens,
  totalOutputTokens,
} from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import { errorCodecOf, errorResponse, gatewayErrorOf, limitHeaders } from "../http/errors.ts";
import {
  outcomeOf,
  type Settled,
  type StreamResult,
  truncated,
} from "../http/stream/transcoder.ts";
import { statesOf } from "../ledger/mod.ts";
import { Pace } from "../pace.ts";
import type { RequestLogRow, Spender } from "../store/log/mod.ts";
import { storeRetryAfterSeconds } from "../store/mod.ts";
import { withoutUpstreamWords } from "../upstreams/mod.ts";
import { type CallContext, type CallRecord, showsSpending } from "./call_context.ts";
import { promptOf } from "./cache_doctor.ts";
import { answeredRow, refusedRow, sentRow } from "./call_record.ts";
import type { FinishedCall } from "./connection_checks.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { unclaimed } from "./idempotency_errors.ts";
import { countingSteps } from "./settled_usage.ts";

/**
 * Makes an answer's row durable, and its stored response. Failures after the status was sent are
 * reported to the operator only.
 */
export async function settle(
  result: StreamResult,
  { call, gateway, record, keeping }: CallContext,
): Promise<Settled> {
  const { repeatable } = gateway;
  if (result.error) reportFailure(call, result.error, gateway);
  const kept = result.outcome === "completed"
    ? keeping?.keep(record.candidate?.upstream.id)
    : undefined; // never rejects
  if (result.outcome === "client_gone" && record.hold) await gateway.ledger.vacate(record.hold);
  record.finishReasons = result.finishReasons;
  try {
    const counting = countingSteps(result, record.decoded);
    if (counting) await new Pace().through(counting);
    const isCharged = !repeatable || await repeatable.prepare(result);
    if (!isCharged && result.outcome === "completed") throw leftFree(call, gateway, record);
    const ended = isCharged ? answeredRow(call, record, result) : sentRow(call, record);
    const row = ended?.session
      ? gateway.cacheDoctor.examined(ended, () => promptOf(call, record.decoded))
      : ended;
    const stored = row ? await settleRow(row, gateway, record) : {};
    const settled = repeatable ? repeatable.settled(stored) : stored;
    if (kept) await kept;
    const error = result.outcome === "completed" ? undefined : result.error ?? truncated();
    gateway.notifyChecks(finishedOf(call, record, error));
    return settled;
  } catch (cause) {
    const error = gatewayErrorOf(cause);
    repeatable?.failed(error);
    gateway.report(error, call.id);
    throw cause;
  }
}

/** Records a call that lost its claim of a key: its end is withheld, because a repetition is charged. */
function leftFree(call: Call, { ledger }: GatewayDeps, record: CallRecord): GatewayError {
  const row = sentRow(call, record);
  if (row) ledger.settle(row, record.hold).catch(() => {}); // its caller gets the error
  return unclaimed();
}

/**
 * Settles a call that fails before its answer, but after its status was sent or without a waiting
 * caller.
 */
export async function settleFailure(error: GatewayError, context: CallContext): Promise<void> {
  await settle({ outcome: outcomeOf(error), error }, context);
}

/**
 * Charges a row, and reports it once it is durable. Resolves with the stored row. Rejects with
 * `store_unavailable` if the store takes too long: the row is then recorded once the store is back,
 * and says that the end of the answer was withheld.
 */
export function settleRow(
  row: RequestLogRow,
  gateway: GatewayDeps,
  record: Pick<CallRecord, "hold" | "finishReasons">,
): Promise<RequestLogRow> {
  const stored = gateway.ledger.settle(row, record.hold);
  return gateway.records.storedInTime(stored, {
    seen: (settled) => observeSettled(settled, record, gateway),
    late: () => withhold(row, stored, record, gateway),
  });
}

function observeSettled(
  settled: RequestLogRow,
  { finishReasons }: Pick<CallRecord, "finishReasons">,
  { observe, report }: GatewayDeps,
): void {
  try {
    observe(settled, finishReasons);
  } catch (thrown) { // the call itself has succeeded
    report(gatewayErrorOf(thrown), settled.id);
  }
}

/** Records a row that is stored too late as one of a withheld answer. Returns the error. */
function withhold(
  row: RequestLogRow,
  stored: Promise<RequestLogRow>,
  { hold }: Pick<CallRecord, "hold">,
  { ledger, report }: GatewayDeps,
): GatewayError {
  stored.catch(() => report(unrecorded(row), row.id));
  if (row.outcome === "completed") {
    const withheld = { ...row, outcome: "truncated", errorCode: unavailable } as const;
    ledger.settle(withheld, hold).catch(() => {}); // reported with the first row
  }
  return new GatewayError(
    unavailable,
    "The gateway's store did not confirm this call in time, so the end of the response is withheld. " +
      "The delivered part is charged, and the whole response may be: see its row in the log. " +
      "Retry later; the cause is in the gateway's own log",
    { retryAfterSeconds: storeRetryAfterSeconds },
  );
}

const unavailable = "store_unavailable" satisfies ErrorCode;

/** The report of a call that could not be recorded before the gateway stopped. */
function unrecorded({ keyName, model, usage }: RequestLogRow): GatewayError {
  const [input, output] = usage ? [totalInputTokens(usage), totalOutputTokens(usage)] : [0, 0];
  return new GatewayError(
    unavailable,
    `The gateway stopped before its store recovered: this call is in neither log nor ledger (key ${keyName}, ` +
      `model ${model}, ${input} input tokens, ${output} output tokens)`,
  );
}

type Known = Pick<CallRecord, "hold" | "caller" | "decoded">;

/** A call as connection checks see it, with the facts of its record. */
function finishedOf(
  call: Call,
  { caller, decoded }: Known,
  error: GatewayError | undefined,
): FinishedCall {
  return { call, caller, model: decoded?.envelope.model, error };
}

/**
 * Reports failures that are not the caller's to the operator. An unavailable store is reported once
 * and not by each call.
 */
function reportFailure(call: Call, error: GatewayError, gateway: GatewayDeps): void {
  if (error.status >= 500 && error.code !== unavailable) {
    gateway.report(withoutUpstreamWords(error), call.id);
  }
}

/** Records a refused call, then returns its error response. */
export async function refusalResponse(
  error: GatewayError,
  { call, gateway, record }: CallContext,
): Promise<Response> {
  try {
    await recordRefusal(error, { call, gateway, record });
  } catch (cause) {
    gateway.report(gatewayErrorOf(cause), call.id); // a refusal is sent even if its row cannot be stored
  }
  if (record.caller && error.limit) gateway.noteRefused(spenderOf(record.caller), error.limit);
  return failureResponse(call, error, gateway, record);
}

/**
 * Stores the row of a refused call. While the store is unavailable, only calls that reached an
 * upstream keep a row in memory: an outage may be long.
 */
async function recordRefusal(
  error: GatewayError,
  { call, gateway, record }: CallContext,
): Promise<void> {
  const row = refusedRow(call, record, error);
  if (error.code !== "store_unavailable") {
    return void (row && await settleRow(row, gateway, record));
  }
  if (row && record.candidate) {
    return void gateway.ledger.settle(row, record.hold).catch(() => {}); // its caller gets the error
  }
  record.isUnrecorded = true;
  if (record.hold) gateway.ledger.release(record.hold);
}

/**
 * The error response in the caller's format. Logs errors that are not the caller's fault.
 */
export function failureResponse(
  call: Call,
  thrown: unknown,
  gateway: GatewayDeps,
  known: Known = {},
): Response {
  const error = gatewayErrorOf(thrown);
  reportFailure(call, error, gateway);
  gateway.notifyChecks(finishedOf(call, known, error));
  const headers = limitHeaders(call, error.limit ? [error.limit] : statesOf(known.hold));
  const options = { headers, showsSpending: showsSpending(call, known.caller) };
  return errorResponse(error, errorCodecOf(call), call.id, options);
}

function spenderOf({ key, project, tags }: Caller): Spender {
  return {
    keyId: key.id,
    groupId: key.groupId,
    accountId: key.accountId,
    ...(project && { projectId: project.id }),
    ...(tags && { tags: tags.map(({ text }) => text) }),
  };
}
