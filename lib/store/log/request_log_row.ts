import type {
  CacheMiss,
  FormatName,
  LimitState,
  Note,
  Refuser,
  Usage,
} from "../../canonical/mod.ts";
import type { Operation, RelayedOperation } from "../../formats/wire.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";
import type { CalledChain } from "../catalog/chain.ts";

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
 * True for outcomes in which a caller that was still connected did not get its answer. The log
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

/** The limit that refused a call, or the upstream whose failure it returned; undefined for other calls. */
export function failedByOf(
  { errorCode, refusedBy, upstreamId, attempts = [] }: RequestLogRow,
): string | undefined {
  if (errorCode === undefined) return undefined;
  if (refusedBy) return refusedBy.name;
  if (attempts.length === 0) return upstreamId;
  return attempts.findLast((one) => (one.errorCode ?? errorCode) === errorCode)?.upstreamId;
}

/** The key, group, account, project and tags that a call is charged to. */
export type Spender = Pick<
  RequestLogRow,
  "keyId" | "groupId" | "accountId" | "projectId" | "tags"
>;

/** The session of a client that a call belongs to, as the client claims; it groups calls of one key. */
export interface CallSession {
  readonly id: string;
  /** The sub-agent; absent for calls of the main agent. */
  readonly agent?: string;
  /** The client's word for the purpose of the call, such as `compaction`. */
  readonly requestClass?: string;
}

/** A session, sub-agent or class that a client may name; other texts are ignored. */
export const sessionName = /^[A-Za-z0-9_.:-]{1,100}$/;
/** The same in words, for errors. */
export const sessionNameText = "1 to 100 letters, digits, '_', '.', ':' or '-'";

/** A session as `ID/AGENT/CLASS`, with empty parts for what is unknown. */
export function sessionText({ id, agent = "", requestClass = "" }: CallSession): string {
  return `${id}/${agent}/${requestClass}`;
}

/** Reads what `sessionText` wrote. */
export function sessionIn(text: string): CallSession {
  const [id, agent, requestClass] = text.split("/", 3);
  return { id, ...(agent && { agent }), ...(requestClass && { requestClass }) };
}

/** One call in the log. Contains no prompt, no answer and no credential. */
export interface RequestLogRow {
  /** `req_` + ULID, so that ids sort by time. */
  readonly id: string;
  readonly atMs: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly groupId: string;
  /** The account's project at the time of the call. */
  readonly projectId?: string;
  /** The model that answered; of a virtual model, the member that was tried last. */
  readonly model: string;
  /** Present if the caller stated a virtual model. */
  readonly chain?: CalledChain;
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
  /** The text of the caller's header `tessera-tag`. */
  readonly tag?: string;
  /** The tags that the call counts for, such as `team=a`. */
  readonly tags?: readonly string[];
  readonly session?: CallSession;
  /** The caller's WebSocket, and behind a slash the lane if it has a name. */
  readonly socket?: string;
  /** The call with the same idempotency key whose answer this one got. */
  readonly replayOf?: string | undefined;
  /** The limit of ours that refused the call, with its state at that time. */
  readonly refusedBy?: LimitState;
  /** The owner of any other rule of ours that refused the call, such as one about models. */
  readonly refuser?: Refuser;
  readonly usage?: Usage;
  readonly usageSource?: "upstream" | "counted" | "none";
  /** The upstream's stated usage, if it was implausible and `usage` was counted instead. */
  readonly statedUsage?: Usage;
  /** The counted usage, if `usage` is the upstream's own but doubtful. */
  readonly countedUsage?: Usage;
  /** The charged amount, as in the ledger; never recomputed. */
  readonly costNanoUsd?: bigint;
  /** The parts of the cost. */
  readonly costLines?: readonly CostLine[];
  /** The part of the cost that exceeds the charge. */
  readonly uncoveredNanoUsd?: bigint;
  /** Absent: the upstream costs the operator as much as the call's usage is priced here. */
  readonly upstreamCost?: OperatorCost;
  readonly notes?: readonly Note[];
  /** The cause for which the call missed a cache that an earlier call of its session had filled. */
  readonly cacheMiss?: CacheMiss;
  /** Attempts at upstreams, in order; only the last `attemptsKeptMax`. */
  readonly attempts?: readonly Attempt[];
  readonly firstByteMs?: number;
  readonly durationMs: number;
  readonly userAgent?: string;
  readonly ip?: string;
}

/** Returns true if two calls had the same caller, model, upstream and status, as most calls in a row do. */
export function isSameRoute(a: RequestLogRow, b: RequestLogRow): boolean {
  return a.keyId === b.keyId && a.model === b.model && a.upstreamId === b.upstreamId &&
    a.status === b.status && a.accountId === b.accountId && a.groupId === b.groupId &&
    a.projectId === b.projectId;
}

/** The endpoint of a call: a format, or an operation that is relayed unchanged. */
export type CalledEndpoint = FormatName | RelayedOperation;

/**
 * The fields that determine the endpoint of a call. Without an operation, the call had an unknown
 * address.
 */
export type CalledWith = Pick<RequestLogRow, "format"> & Partial<Pick<RequestLogRow, "operation">>;

export function calledEndpoint({ operation = "generate", format }: CalledWith): CalledEndpoint {
  return relayedEndpoint(operation)?.operation ?? format;
}

/** The maximum number of attempts in a row. */
export const attemptsKeptMax = 8;

/** One attempt of a call at one upstream. */
export interface Attempt {
  readonly upstreamId: string;
  /** The credential's name in logs, never its value; absent for an upstream without credentials. */
  readonly credentialId?: string;
  readonly upstreamModel: string;
  /** The member of a virtual model; absent for other calls. */
  readonly model?: string;
  /** Absent for a model that runs inside the gateway. */
  readonly upstreamFormat?: FormatName;
  /** Milliseconds from the start of the call. */
  readonly startedAfterMs: number;
  /** Milliseconds until the first byte of its answer, or until its failure without one. */
  readonly durationMs: number;
  /** The upstream's status; absent if it did not answer. */
  readonly status?: number;
  /** The outcome of its answer, or of the attempt if there was no answer. */
  readonly outcome: RequestOutcome;
  readonly errorCode?: string;
  /** The type and code of the upstream's error, such as `server_error`. */
  readonly errorType?: string;
  /** The error message without the prompt and credentials; see `keptWords`. */
  readonly errorMessage?: string;
}

/** The cost of a call for the operator. Only operators see it. */
export interface OperatorCost {
  readonly nanoUsd: bigint;
  /** Present if the upstream's answer stated it. */
  readonly isStated?: true;
}

/** The cost of a call for the operator, in nano-dollars. */
export function upstreamNanoUsdOf(
  { costNanoUsd = 0n, uncoveredNanoUsd = 0n, upstreamCost }: RequestLogRow,
): bigint {
  return upstreamCost ? upstreamCost.nanoUsd : costNanoUsd + uncoveredNanoUsd;
}

/** The amount that caches of upstreams saved a call, minus the extra cost of writing them. */
export function cacheSavingOf({ costLines }: Pick<RequestLogRow, "costLines">): bigint {
  let nanoUsd = 0n;
  if (costLines) { for (const { savedNanoUsd } of costLines) nanoUsd += savedNanoUsd ?? 0n; }
  return nanoUsd;
}

/** One bucket's part of a cost. */
export interface CostLine {
  readonly bucket: string;
  readonly quantity: number;
  readonly nanoUsd: bigint;
  /** For cached tokens: what they would have cost uncached, minus `nanoUsd`; negative for most writes. */
  readonly savedNanoUsd?: bigint;
  /**
   * The service tier and the region whose rates apply, such as `fast us`; absent for the standard
   * rates.
   */
  readonly tier?: string;
  /**
   * The part of the answer, if that took several samplings: `compaction`, or another model's name.
   */
  readonly part?: string;
}
