import { type GatewayError, isJsonObject } from "../canonical/mod.ts";
import type { Call, ErrorChanges } from "../http/call.ts";
import type { Keeping, WithHistory } from "../responses_state/mod.ts";
import { CallRecord } from "./call_record.ts";
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
