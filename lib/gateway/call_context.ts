import type { Call } from "../http/call.ts";
import { withErrorChanges } from "../http/call_errors.ts";
import { withLogLink } from "../http/log_link.ts";
import type { Keeping, WithHistory } from "../responses_state/mod.ts";
import type { CallRecord } from "./call_record.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { worded } from "./worded.ts";

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

/**
 * A call at the start of the line. Its error messages match its log row, and link to it once its
 * account is known.
 */
export function callContextOf(call: Call, gateway: GatewayDeps): CallContext {
  const record: CallRecord = { notes: [], attempts: [] };
  const { publicUrl } = gateway;
  const isLogged = () => record.caller !== undefined && !record.isUnrecorded;
  const answered = withErrorChanges(call, {
    word: (error) => worded(error, record),
    link: (body) => withLogLink(body, call, { publicUrl, isLogged }),
  });
  return { call: answered, gateway, record };
}
