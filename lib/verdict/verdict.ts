import { errorCatalog, type ErrorCode, type LimitState } from "../canonical/mod.ts";
import type { Attempt, RequestLogRow } from "../store/log/mod.ts";

/** A code that a row may fail with: `interrupted` is the log's own. */
export type FailureCode = ErrorCode | "interrupted";

/** What is known of a call that failed: the row of the log has it all. */
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

/** Who failed, at what, and what came of it. */
export interface Verdict {
  readonly code: FailureCode;
  /** The upstream that failed; absent where the gateway refused the call by itself. */
  readonly upstream?: string;
  /** That upstream's own status, type and code. */
  readonly status?: number;
  readonly type?: string;
  /** What it said, or what the gateway did, where that was kept. */
  readonly message?: string;
  /** How many times upstreams were asked, and whether every time ended like the last. */
  readonly tries: number;
  readonly allAlike: boolean;
  /** Whether only one upstream was asked. */
  readonly oneUpstream: boolean;
  readonly model: string;
  readonly limit?: LimitState;
  /** What was charged; absent where nobody knows yet. */
  readonly chargedNanoUsd?: bigint;
  /** Whether a part of an answer went out. */
  readonly answered: boolean;
  /** Whether the same call may succeed when it is sent again. */
  readonly retryable: boolean;
}

/** Codes that only the gateway itself can fail with, whoever was asked before. */
const own: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "client_closed",
  "conversion_lossy",
  "internal_error",
  "interrupted",
  "no_upstream",
  "shutting_down",
]);

/**
 * What a row says of a failure; undefined where the call did not fail, or with a code of a later
 * release. Before a call is settled nobody knows what a part of an answer costs.
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
  const isTheirs = upstream !== undefined && !own.has(code) && !refusedBy;
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
  };
}

function codeOf(text: string | undefined): FailureCode | undefined {
  if (text === undefined) return undefined;
  return text === "interrupted" || Object.hasOwn(errorCatalog, text)
    ? text as FailureCode // a key of the catalog
    : undefined;
}

/** The try that the failure is of: the last one that ended so, or whose answer is still going out. */
function failedTry({ attempts = [] }: FailedCall, code: FailureCode): Attempt | undefined {
  return attempts.findLast(({ errorCode = code }) => errorCode === code);
}

/** An answer that began with 200 and failed later has no status to name. */
function statusOf(failed: Attempt | undefined): Pick<Verdict, "status"> {
  const status = failed?.status;
  return status === undefined || status < 400 ? {} : { status };
}

function isAlike(a: Attempt, b: Attempt): boolean {
  return a.errorCode === b.errorCode && a.status === b.status && a.upstreamId === b.upstreamId;
}
