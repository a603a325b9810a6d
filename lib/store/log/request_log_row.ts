import type { FormatName, LimitState, Note, Usage } from "../../canonical/mod.ts";
import type { Operation, RelayedOperation } from "../../formats/endpoint.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";

/** All outcomes of a call. */
export const requestOutcomes = [
  "completed",
  "truncated",
  "upstream_error",
  "client_gone",
  "timeout",
  "refused",
] as const;
/** The outcome of a call. */
export type RequestOutcome = typeof requestOutcomes[number];

/**
 * True for outcomes that did not give the caller its answer while it was still connected. The log
 * finds these calls as `failed`, and rollups count them.
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
  /** The error's type and message, if no attempt with its code has them. */
  readonly errorType?: string;
  readonly errorMessage?: string;
  /** The tag that the caller gave the call or its session in a header. */
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
  /** The parts of the cost. */
  readonly costLines?: readonly CostLine[];
  /** The part of the cost that exceeds the charge. */
  readonly uncoveredNanoUsd?: bigint;
  readonly notes?: readonly Note[];
  /** Its tries at upstreams, in order: the last of them where there were more than `attemptsKeptMax`. */
  readonly attempts?: readonly Attempt[];
  readonly firstByteMs?: number;
  readonly durationMs: number;
  readonly userAgent?: string;
  readonly ip?: string;
}

/** The endpoint of a call: one that is relayed as it is, or a format. */
export type CalledEndpoint = FormatName | RelayedOperation;

/** The fields that determine the endpoint of a call. Without an operation it is no endpoint that we serve. */
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
  /** The outcome of its answer, or of the attempt if there was no answer. */
  readonly outcome: RequestOutcome;
  readonly errorCode?: string;
  /** The upstream's own type and code of its error, such as `server_error`. */
  readonly errorType?: string;
  /** The error message without the prompt and credentials; see `keptWords`. */
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
