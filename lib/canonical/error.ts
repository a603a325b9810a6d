import type { NativeFields } from "./format.ts";
import type { LimitState } from "./limit_state.ts";
import { withHiddenShown } from "./name.ts";
import type { Refuser } from "./refuser.ts";

/** The status towards the caller, and what it says about each error that has it. */
const statuses = {
  400: { type: "invalid_request_error", retryable: false },
  401: { type: "authentication_error", retryable: false },
  402: { type: "insufficient_quota", retryable: false },
  403: { type: "permission_error", retryable: false },
  404: { type: "not_found_error", retryable: false },
  405: { type: "invalid_request_error", retryable: false },
  408: { type: "invalid_request_error", retryable: true },
  409: { type: "invalid_request_error", retryable: false },
  413: { type: "request_too_large", retryable: false },
  415: { type: "invalid_request_error", retryable: false },
  426: { type: "invalid_request_error", retryable: false },
  429: { type: "rate_limit_error", retryable: true },
  499: { type: "api_error", retryable: false },
  500: { type: "api_error", retryable: false },
  502: { type: "api_error", retryable: true },
  503: { type: "overloaded_error", retryable: true },
  504: { type: "timeout_error", retryable: true },
} as const;

/** A status of the gateway's errors. */
export type ErrorStatus = keyof typeof statuses;

interface ErrorRow {
  readonly status: ErrorStatus;
  /** `error.type` in the formats that have no name of their own for the code. */
  readonly type: string;
  /** True if another upstream, or the same one later, may succeed. */
  readonly retryable: boolean;
  /** One sentence for the documents. */
  readonly meaning: string;
}

/**
 * All error codes. A code is stable and public; each format encodes it as its own wire error, and
 * only this table decides the status.
 */
export const errorCatalog = {
  invalid_json: row(400, "The body is not valid JSON in UTF-8"),
  invalid_request: row(400, "A field is missing or wrong; the message names it"),
  unsupported_parameter: row(
    400,
    "The request uses a feature that the model's upstream does not support, and dropping it would change the meaning",
  ),
  content_blocked: row(
    400,
    "The upstream's content filter blocked the prompt. If its format has a response for that, the client gets that response and the code is in the log only",
  ),
  context_length_exceeded: row(400, "The prompt exceeds the model's context length"),
  conversion_lossy: row(
    400,
    "Conversion would change the request, or the remaining money would shorten the response, and the request forbids both with `tessera-strict: true`",
  ),
  invalid_api_key: row(401, "The key is missing, unknown, disabled, expired or has no group"),
  insufficient_quota: row(
    402,
    "The balance or a budget is too small for this call, even with a shorter response. The message names the budget and the amount needed",
  ),
  model_not_allowed: row(
    403,
    "The key, its group or its project does not allow the model; the message and `refused_by` name which",
  ),
  format_not_allowed: row(403, "The key's group may not use this format"),
  ip_not_allowed: row(403, "The key does not allow the client's IP address"),
  model_unpriced: row(
    403,
    "The model has no price. An administrator must set one, or allow unpriced models for the group",
  ),
  tier_unpriced: row(
    403,
    "The call names a service tier, region or fallback model without a price. An administrator must set one; the message names the field",
  ),
  model_not_found: row(
    404,
    "The model is not available on this gateway; `GET /v1/models` lists the models",
  ),
  response_not_found: row(404, "The stored response does not exist"),
  previous_response_not_found: row(
    400,
    "The response in `previous_response_id`, or an earlier one of its chain, is not stored",
  ),
  conversation_not_found: row(404, "The conversation does not exist"),
  item_not_found: row(404, "The item of a stored response or a conversation does not exist"),
  unknown_endpoint: row(
    404,
    "No endpoint at this path; the message names the right base URL, the nearest path or an alternative",
  ),
  endpoint_not_served: row(
    404,
    "No upstream of the model serves the endpoint; the message names both",
  ),
  duplicated_path_segment: row(
    404,
    "The client's base URL has an extra path segment; the message names the right URL",
  ),
  method_not_allowed: row(405, "The path needs another HTTP method; `allow` lists them"),
  body_timeout: row(408, "The upload timed out"),
  request_in_progress: row(
    409,
    "The first call with this `Idempotency-Key` is still running in another process; retry with the same key",
  ),
  idempotency_key_reused: row(
    409,
    "Another request had this `Idempotency-Key` in the last 24 hours",
  ),
  answer_not_stored: row(
    409,
    "The first call with this `Idempotency-Key` was charged, but its answer was not stored",
  ),
  body_too_large: row(413, "The body is larger than `limits.bodyBytesMax`"),
  body_too_complex: row(
    413,
    "The body's JSON is nested deeper than `limits.nestingMax`, or has more objects and arrays than `limits.containersMax`, more members than `limits.membersMax` in total or `limits.objectMembersMax` in one object, or more values than `limits.valuesMax`",
  ),
  unsupported_media_type: row(
    415,
    "The content type is not JSON, or the content encoding is unknown",
  ),
  websocket_unsupported: row(
    426,
    "No WebSocket is opened at the address, or they are switched off; clients fall back to server-sent events",
  ),
  rate_limit_exceeded: row(
    429,
    "A limit of requests or tokens per minute, or of concurrent requests, is reached at the gateway or the upstream; the message names it. Tokens beyond a minute's limit count against the following minutes",
  ),
  client_closed: row(499, "The client disconnected; in the log only"),
  internal_error: row(500, "A bug in the gateway; its log has the cause under the request ID"),
  upstream_error: row(502, "The upstream failed"),
  compaction_failed: row(
    502,
    "The model wrote no summary of the conversation, in two attempts; the conversation is unchanged",
  ),
  upstream_invalid_response: row(502, "The upstream sent a malformed response"),
  upstream_unauthorized: row(502, "The upstream rejected the gateway's credential"),
  upstream_unreachable: row(502, "The gateway could not connect to the upstream"),
  upstream_truncated: row(502, "The upstream interrupted the response"),
  no_upstream: row(503, "No upstream can serve the model at the moment"),
  store_unavailable: row(
    503,
    "The gateway's store cannot record calls, e.g. because its disk is full; nothing is sent or charged, and a response in progress ends without its last part",
  ),
  upstream_overloaded: row(503, "The upstream is overloaded"),
  gateway_overloaded: row(
    503,
    "Concurrent request bodies already use all the memory that `limits.bodiesHeapPercent` allows",
  ),
  shutting_down: row(503, "The server is shutting down"),
  upstream_timeout: row(504, "The upstream timed out"),
} as const satisfies Record<string, ErrorRow>;

function row(status: ErrorStatus, meaning: string): ErrorRow {
  return { status, ...statuses[status], meaning };
}

/** Every error code of the gateway; see `errorCatalog`. */
export type ErrorCode = keyof typeof errorCatalog;

/** An upstream's original error message: it may quote the prompt or a credential. */
export interface UpstreamSaid {
  readonly message?: string;
  readonly type?: string;
  readonly code?: string;
}

/**
 * The longest wait that a header may request of a client. Agents sleep through any wait with nothing
 * on the screen (opencode, Qwen Code and Cline; Codex even with 402, 2026-11): a longer one ends the
 * call, and its text states it.
 */
export const waitSecondsMax = 60;

/** Optional details of an error. */
export interface GatewayErrorOptions {
  readonly cause?: unknown;
  /** Seconds after which a retry makes sense, from the upstream or from a limit. */
  readonly retryAfterSeconds?: number;
  /** The request field at fault, such as `messages[3].content`. */
  readonly param?: string;
  /** The upstream's own status, if it answered. */
  readonly upstreamStatus?: number;
  /** The upstream's own message, if it answered. */
  readonly said?: UpstreamSaid;
  /** Members of the error that only one format has, for a caller of that format. */
  readonly native?: NativeFields;
  /** The gateway's limit that refused the call, at that moment. */
  readonly limit?: LimitState;
  /** The owner of the limit or the rule that refused the call. */
  readonly refuser?: Refuser;
  /** Overrides the catalog if waiting cannot help, such as for a call larger than its limit. */
  readonly retryable?: boolean;
  /** True if the gateway refused an attempt before it sent anything to the upstream. */
  readonly unsent?: boolean;
  /** True if the connection broke before the upstream sent any of its answer. */
  readonly isBroken?: boolean;
}

/**
 * The only error that reaches a caller. Anything else thrown is a bug, answered as `internal_error`.
 * Its sentences may quote a caller's names, so they show characters that would be hidden or reorder
 * the text.
 */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly retryAfterSeconds?: number;
  readonly param?: string;
  readonly upstreamStatus?: number;
  readonly said?: UpstreamSaid;
  readonly native?: NativeFields;
  readonly limit?: LimitState;
  readonly refuser?: Refuser;
  /** True if another upstream, or the same one later, may succeed. */
  readonly retryable: boolean;
  readonly unsent?: boolean;
  readonly isBroken?: boolean;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(
      withHiddenShown(message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.param = options.param && withHiddenShown(options.param);
    this.upstreamStatus = options.upstreamStatus;
    this.said = options.said;
    this.native = options.native;
    this.limit = options.limit;
    if (options.refuser) this.refuser = options.refuser;
    this.retryable = options.retryable ?? errorCatalog[code].retryable;
    if (options.unsent) this.unsent = true;
    if (options.isBroken) this.isBroken = true;
  }

  get status(): ErrorStatus {
    return errorCatalog[this.code].status;
  }

  get type(): string {
    return errorCatalog[this.code].type;
  }
}

/** Copies an error with another message or other options. */
export function changedError(
  error: GatewayError,
  { message = error.message, ...options }: GatewayErrorOptions & { readonly message?: string },
): GatewayError {
  return new GatewayError(error.code, message, { ...error, cause: error.cause, ...options });
}

/** The error of a call whose caller disconnected: only the log shows it. */
export function callerLeft(cause?: GatewayError): GatewayError {
  return new GatewayError("client_closed", "The client disconnected", { cause });
}
