import type { FormatName, LimitState, Note, Usage } from "../../canonical/mod.ts";
import type { Operation, RelayedOperation } from "../../formats/endpoint.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";

/** How a call may end. */
export const requestOutcomes = [
  "completed",
  "truncated",
  "upstream_error",
  "client_gone",
  "timeout",
  "refused",
] as const;
/** How a call ended. */
export type RequestOutcome = typeof requestOutcomes[number];

/**
 * Whether a call that ended so did not give its caller what was asked for, while the caller was there
 * to take it. The log finds these as `failed`, and rollups count them.
 */
export const failureOf = {
  completed: false,
  truncated: true,
  upstream_error: true,
  client_gone: false,
  timeout: true,
  refused: true,
} as const satisfies Record<RequestOutcome, boolean>;

/** One call, as the log shows it. No prompt, no answer, no credential. */
export interface RequestLogRow {
  /** `req_` + ULID, so that ids sort by time. */
  readonly id: string;
  readonly atMs: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly groupId: string;
  readonly model: string;
  readonly upstreamModel?: string;
  readonly upstreamId?: string;
  readonly format: FormatName;
  readonly upstreamFormat?: FormatName;
  readonly operation: Operation;
  readonly stream: boolean;
  readonly status: number;
  readonly outcome: RequestOutcome;
  readonly errorCode?: string;
  /** What was said of the failure, where no attempt with its code has it. */
  readonly errorType?: string;
  readonly errorMessage?: string;
  /** What the caller named the call or its session by a header, so that it is found again. */
  readonly tag?: string;
  /** The limit of ours that refused the call, as it stood then. */
  readonly refusedBy?: LimitState;
  readonly usage?: Usage;
  readonly usageSource?: "upstream" | "counted" | "none";
  /** The upstream's own usage, where it cannot be true and `usage` was counted instead. */
  readonly statedUsage?: Usage;
  /** The counted usage, where `usage` is the upstream's own although it is hardly true. */
  readonly countedUsage?: Usage;
  /** The amount that was charged, as the ledger has it; never computed again. */
  readonly costNanoUsd?: bigint;
  /** What the cost is made of. */
  readonly costLines?: readonly CostLine[];
  /** What the call cost beyond what could be charged. */
  readonly uncoveredNanoUsd?: bigint;
  readonly notes?: readonly Note[];
  /** Its tries at upstreams, in order: the last of them where there were more than `attemptsKeptMax`. */
  readonly attempts?: readonly Attempt[];
  readonly firstByteMs?: number;
  readonly durationMs: number;
  readonly userAgent?: string;
  readonly ip?: string;
}

/** What a call was made to: an endpoint that is passed on as it is, or a format that answers. */
export type CalledEndpoint = FormatName | RelayedOperation;

/** What says which endpoint a call was made to; without an operation, to none that is served. */
export type CalledWith = Pick<RequestLogRow, "format"> & Partial<Pick<RequestLogRow, "operation">>;

export function calledEndpoint({ operation = "generate", format }: CalledWith): CalledEndpoint {
  return relayedEndpoint(operation)?.operation ?? format;
}

/** The most attempts that a row keeps. */
export const attemptsKeptMax = 8;

/** One try of a call at one upstream. */
export interface Attempt {
  readonly upstreamId: string;
  /** The credential's name in logs, never itself; absent for an upstream that wants none. */
  readonly credentialId?: string;
  readonly upstreamModel: string;
  /** Absent for a model inside the gateway. */
  readonly upstreamFormat?: FormatName;
  /** Milliseconds from the call's start. */
  readonly startedAfterMs: number;
  /** Milliseconds until its answer's first byte, or until it failed without one. */
  readonly durationMs: number;
  /** The upstream's own; absent where it did not answer. */
  readonly status?: number;
  /** How its answer ended, or that there was none. */
  readonly outcome: RequestOutcome;
  readonly errorCode?: string;
  /** The upstream's own type and code of its error, such as `server_error`. */
  readonly errorType?: string;
  /** What it said, without the prompt and without credentials: `keptWords`. */
  readonly errorMessage?: string;
}

/** One bucket's part of a cost. */
export interface CostLine {
  readonly bucket: string;
  readonly quantity: number;
  readonly nanoUsd: bigint;
  /** The service tier and the region whose rates count, such as `fast us`; absent for the standard ones. */
  readonly tier?: string;
  /** The part of the answer that it is for, where that took several samplings: `compaction`, or another model's name. */
  readonly part?: string;
}
