import { errorCatalog, type ErrorCode, withHiddenShown } from "../../canonical/mod.ts";
import { gatewayErrorOf } from "../../http/errors.ts";
import { StoreError } from "../../store/mod.ts";

/** The errors that only the management API has; all others are the gateway's. */
export const managementErrors = {
  scope_missing: {
    status: 403,
    type: "permission_error",
    meaning: "The token lacks a scope; the message names it",
  },
  object_not_found: {
    status: 404,
    type: "not_found_error",
    meaning: "There is no object with this ID",
  },
  ambiguous_name: {
    status: 400,
    type: "invalid_request_error",
    meaning: "Several objects have the name that is given for an ID; the message lists them",
  },
  already_exists: {
    status: 409,
    type: "conflict_error",
    meaning: "Another object has the name, the ID or the e-mail address",
  },
  object_in_use: {
    status: 409,
    type: "conflict_error",
    meaning: "Other objects need the object; the message names them",
  },
  object_protected: {
    status: 409,
    type: "conflict_error",
    meaning:
      "The configuration declares the object, or the gateway needs it as it is: the API cannot change it",
  },
  concurrent_changes: {
    status: 409,
    type: "conflict_error",
    meaning: "Others kept changing the object meanwhile. Retry",
  },
  request_in_progress: {
    status: 409,
    type: "conflict_error",
    meaning: "The first request with this `Idempotency-Key` has no answer yet",
  },
  object_changed: {
    status: 412,
    type: "precondition_error",
    meaning: "The object is no longer the one of `If-Match`. Read it again",
  },
  idempotency_key_reused: {
    status: 422,
    type: "invalid_request_error",
    meaning: "Another request had this `Idempotency-Key` in the last 24 hours",
  },
} as const satisfies Record<string, ManagementErrorRow>;

interface ManagementErrorRow {
  readonly status: number;
  readonly type: string;
  /** One sentence for the documents. */
  readonly meaning: string;
}

/** A code of the management API's errors. */
export type ManagementErrorCode = ErrorCode | keyof typeof managementErrors;

/** The errors of a change that others can precede or forbid. */
export const changeConflicts = [
  "object_protected",
  "concurrent_changes",
  "object_changed",
] as const satisfies readonly ManagementErrorCode[];

interface ManagementErrorOptions {
  /** The field at fault, such as `budgets.month`. */
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of the management API. */
export class ManagementError extends Error {
  override readonly name = "ManagementError";
  readonly code: ManagementErrorCode;
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;

  constructor(code: ManagementErrorCode, message: string, options: ManagementErrorOptions = {}) {
    super(withHiddenShown(message));
    this.code = code;
    this.param = options.param && withHiddenShown(options.param);
    this.headers = options.headers;
  }
}

/** The error of a field's value. */
export function invalidField(param: string, fault: string): ManagementError {
  return new ManagementError("invalid_request", `${param}: ${fault}`, { param });
}

/** The error of an id that no object has, such as `key_4fR`. `kind` is such as `API key`. */
export function notFound(kind: string, id: string): ManagementError {
  return new ManagementError("object_not_found", `No ${kind} has the ID ${id.slice(0, 100)}`);
}

/** An error as the API's answer: `{"error": {"type", "code", "message", "param"?, "request_id"}}`. */
export function errorAnswer(thrown: unknown, requestId: string): Response {
  const { code, message, param, headers } = managementErrorOf(thrown);
  const { status, type } = rowOf(code);
  const error = { type, code, message, ...(param !== undefined && { param }) };
  return Response.json({ error: { ...error, request_id: requestId } }, { status, headers });
}

function managementErrorOf(thrown: unknown): ManagementError {
  if (thrown instanceof ManagementError) return thrown;
  if (thrown instanceof StoreError) {
    const code = codeOfStore[thrown.code];
    if (code !== undefined) return new ManagementError(code, thrown.message);
  }
  const { code, message, param, retryAfterSeconds } = gatewayErrorOf(thrown);
  const headers = retryAfterSeconds === undefined
    ? undefined
    : { "retry-after": String(Math.ceil(retryAfterSeconds)) };
  return new ManagementError(code, message, { param, headers });
}

/** The store's refusals that a caller can act on; any other is a bug or an outage. */
const codeOfStore: Readonly<Partial<Record<StoreError["code"], ManagementErrorCode>>> = {
  already_exists: "already_exists",
  not_found: "object_not_found",
  conflict: "concurrent_changes",
  declared: "object_protected",
  protected: "object_protected",
  too_large: "invalid_request",
};

function rowOf(code: ManagementErrorCode): { readonly status: number; readonly type: string } {
  return isOwn(code) ? managementErrors[code] : errorCatalog[code];
}

function isOwn(code: ManagementErrorCode): code is keyof typeof managementErrors {
  return Object.hasOwn(managementErrors, code);
}

/** Returns true for an error that the caller cannot avoid. */
export function isServerFault(thrown: unknown): boolean {
  return rowOf(managementErrorOf(thrown).code).status >= 500;
}

/** Returns true for a failure without a code: a bug, whose cause only the log has. */
export function isBug(thrown: unknown): boolean {
  return managementErrorOf(thrown).code === "internal_error";
}
