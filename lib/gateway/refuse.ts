import type { Caller } from "../accounts/authorize.ts";
import type { GatewayError } from "../canonical/mod.ts";
import { limitHeaders } from "../http/body/limits.ts";
import type { Call } from "../http/call.ts";
import { errorCodecOf } from "../http/call_errors.ts";
import { errorResponse, gatewayErrorOf } from "../http/errors.ts";
import { statesOf } from "../ledger/mod.ts";
import type { Spender } from "../store/log/mod.ts";
import type { CallContext } from "./call_context.ts";
import { refusedRow } from "./call_record.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { finishedOf, type Known, reportFailure, settleRow, settleRowLater } from "./settle.ts";

/** Records a refused call, then returns its error response. */
export async function refuse(
  error: GatewayError,
  { call, gateway, record }: CallContext,
): Promise<Response> {
  try {
    await recordRefusal(error, { call, gateway, record });
  } catch (cause) {
    gateway.report(gatewayErrorOf(cause), call.id); // a refusal is sent even if its row cannot be stored
  }
  if (record.caller && error.limit) gateway.noteRefused(spenderOf(record.caller), error.limit);
  return failed(call, error, gateway, record);
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
  if (record.candidate) return settleRowLater(row, gateway, record);
  record.isUnrecorded = true;
  if (record.hold) gateway.ledger.release(record.hold);
}

/**
 * The error response in the caller's format. Logs errors that are not the caller's fault.
 */
export function failed(
  call: Call,
  thrown: unknown,
  gateway: GatewayDeps,
  known: Known = {},
): Response {
  const error = gatewayErrorOf(thrown);
  reportFailure(call, error, gateway);
  gateway.notifyChecks(finishedOf(call, known, error));
  const headers = limitHeaders(call, error.limit ? [error.limit] : statesOf(known.hold));
  return errorResponse(error, errorCodecOf(call), call.id, { headers });
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
