import { errorCatalog, type ErrorCode, type LimitState } from "../canonical/mod.ts";
import type { Attempt, RequestLogRow } from "../store/log/mod.ts";

/** The error code of a log row. The log adds `interrupted` to the codes of the API. */
export type FailureCode = ErrorCode | "interrupted";

/** The fields of a log row that describe a failed call. */
export type FailedCall =
  & Pick<RequestLogRow, "errorCode" | "model">
  & Partial<
    Pick<
      RequestLogRow,
      | "attempts"
      | "costNanoUsd"
      | "errorMessage"
      | "errorType"
      | "firstByteMs"
      | "refusedBy"
      | "upstreamId"
    >
  >;

/** The failed party, the failure, and its consequences for the caller. */
export interface Verdict {
  readonly code: FailureCode;
  /** The upstream that failed; absent if the gateway itself refused the call. */
  readonly upstream?: string;
  /** That upstream's own status, type and code. */
  readonly status?: number;
  readonly type?: string;
  /** The message of the upstream or of the gateway, if it was stored. */
  readonly message?: string;
  /** The number of attempts on upstreams, and whether all of them failed in the same way. */
  readonly tries: number;
  readonly allAlike: boolean;
  /** True if at most one upstream was tried. */
  readonly oneUpstream: boolean;
  readonly model: string;
  readonly limit?: LimitState;
  /** The charge; absent until the call is settled. */
  readonly chargedNanoUsd?: bigint;
  /** True if a part of the answer was sent. */
  readonly answered: boolean;
  /** True if a retry of the same call may succeed. */
  readonly retryable: boolean;
  /** True if the last attempt was refused before anything was sent. */
  readonly unsent: boolean;
}

/** Failures of the gateway itself, even after attempts on upstreams. */
const own: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "client_closed",
  "conversion_lossy",
  "internal_error",
  "interrupted",
  "no_upstream",
  "shutting_down",
]);

/**
 * Reads the verdict from a log row. Returns undefined if the call succeeded, or failed with a code
 * of a later release. The charge of a partial answer is unknown until the call is settled.
 */
export function verdictOf(row: FailedCall, { settled = true } = {}): Verdict | undefined {
  const code = codeOf(row.errorCode);
  if (code === undefined) return undefined;
  const { attempts = [], model, refusedBy, costNanoUsd } = row;
  const failed = failedTry(row, code);
  const { errorType, errorMessage } = row.errorMessage === undefined ? failed ?? row : row;
  const answered = row.firstByteMs !== undefined;
  const tried = new Set(attempts.map(({ upstreamId }) => upstreamId));
  const upstream = failed?.upstreamId ?? (attempts.length > 0 ? undefined : row.upstreamId);
  const unsent = !own.has(code) && failed !== undefined && isUnsent(failed);
  const isTheirs = upstream !== undefined && !own.has(code) && !refusedBy && !unsent;
  return {
    code,
    ...(isTheirs && { upstream, ...statusOf(failed) }),
    ...(isTheirs && errorType !== undefined && { type: errorType }),
    ...(errorMessage !== undefined && { message: errorMessage }),
    tries: attempts.length,
    allAlike: attempts.every((one) => isAlike(one, attempts[0])),
    oneUpstream: tried.size <= 1,
    model,
    ...(refusedBy && { limit: refusedBy }),
    ...((settled || !answered) && { chargedNanoUsd: costNanoUsd ?? 0n }),
    answered,
    retryable: code === "interrupted" || errorCatalog[code].retryable,
    unsent,
  };
}

function codeOf(text: string | undefined): FailureCode | undefined {
  if (text === undefined) return undefined;
  return text === "interrupted" || Object.hasOwn(errorCatalog, text)
    ? text as FailureCode // a key of the catalog
    : undefined;
}

/** The attempt that failed the call: the last one with this code, or one that has not ended. */
function failedTry({ attempts = [] }: FailedCall, code: FailureCode): Attempt | undefined {
  return attempts.findLast(({ errorCode = code }) => errorCode === code);
}

/** Returns true if the gateway refused the attempt itself: a prompt that an upstream blocked has a status. */
function isUnsent({ outcome, status }: Attempt): boolean {
  return outcome === "refused" && status === undefined;
}

/** Omits the status of an answer that started with 200 and failed later. */
function statusOf(failed: Attempt | undefined): Pick<Verdict, "status"> {
  const status = failed?.status;
  return status === undefined || status < 400 ? {} : { status };
}

function isAlike(a: Attempt, b: Attempt): boolean {
  return a.errorCode === b.errorCode && a.status === b.status && a.upstreamId === b.upstreamId;
}
