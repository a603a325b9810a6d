import type { Caller } from "../accounts/authorize.ts";
import type { FinishReason, GatewayError, LimitState } from "../canonical/mod.ts";
import type { Limits } from "../config.ts";
import type { BodyMemory } from "../http/body/body_memory.ts";
import type { Call } from "../http/call.ts";
import type { Ledger, OwnBudget, Prices } from "../ledger/mod.ts";
import type { ResponsesDeps } from "../responses_state/mod.ts";
import type { Clock, Health, RetryBudget } from "../routing/mod.ts";
import type { UpstreamList } from "../store/catalog/mod.ts";
import type { RequestLogRow, Spender } from "../store/log/mod.ts";
import type { CallSpans } from "../telemetry/mod.ts";
import type { ContinuationMemory, UpstreamSockets } from "../upstreams/mod.ts";
import type { Send } from "../upstreams/send.ts";
import type { Candidate, Upstream } from "../upstreams/upstream.ts";
import type { CacheDoctor } from "./cache_doctor.ts";
import type { CallRecordings } from "./call_recordings.ts";
import type { CapsuleKeys } from "./capsule.ts";
import type { Chains } from "./chains.ts";
import type { FinishedCall } from "./connection_checks.ts";
import type { RecordWait } from "./record_wait.ts";
import type { RunningCall } from "./running_call.ts";

/** Everything that the stages of a call use. Tests pass their own. */
export interface GatewayDeps {
  /** Throws `store_unavailable` while the store cannot record calls. */
  readonly assertRecording: () => void;
  /** Bounds the waits of ended calls for their records. */
  readonly records: Pick<RecordWait, "storedInTime">;
  /** Identifies the caller, at once if its key is in memory. Throws or rejects like `authorize`. */
  readonly identify: (call: Call) => Caller | Promise<Caller>;
  readonly upstreams: () => readonly Upstream[];
  /** The virtual models. */
  readonly chains: Pick<Chains, "membersOf" | "spentPercent" | "memberFor" | "keep">;
  /** The order among upstreams of one priority; undefined: by weight. */
  readonly preference: () => ((candidate: Candidate) => number) | undefined;
  /** The models that upstreams list themselves, by upstream id. */
  readonly lists: () => ReadonlyMap<string, UpstreamList>;
  readonly send: Send;
  /** The connections that are kept for the caller's WebSocket; absent for calls over HTTP. */
  readonly upstreamSockets?: UpstreamSockets;
  readonly limits: Limits;
  readonly bodies: BodyMemory;
  /** The health of upstreams: orders candidates, and records every attempt. */
  readonly health: Health;
  /** Bounds the calls that are tried again at the upstream that failed. */
  readonly retries: RetryBudget;
  readonly clock: Clock;
  /** Sets money aside before a call and settles it afterwards. */
  readonly ledger: Pick<
    Ledger,
    "recentTokens" | "reserve" | "reserveIfPlenty" | "release" | "vacate" | "watch" | "settle"
  >;
  /** The budgets of a caller's own, the fullest first; empty if they cannot be read. */
  readonly ownBudgets: (caller: Caller) => Promise<readonly OwnBudget[]>;
  readonly prices: Prices;
  /** Finds out why calls of sessions miss caches. */
  readonly cacheDoctor: Pick<CacheDoctor, "examined">;
  /** Seals and opens compacted histories. */
  readonly capsules: CapsuleKeys["box"];
  /** The request for a summary with which the gateway compacts a history. */
  readonly compactionPrompt: () => string;
  /** The stored state of formats, which later calls refer to. */
  readonly state: ResponsesDeps;
  /** The call with an idempotency key that runs; absent for others. */
  readonly repeatable?: RunningCall;
  /** Called with each ended call, once its row is durable. */
  readonly observe: (row: RequestLogRow, finishReasons?: () => readonly FinishReason[]) => void;
  /** Records requests and answers of some callers. */
  readonly recordings?: Pick<CallRecordings, "begin" | "settled">;
  /** The spans of calls; absent unless the runtime records spans. */
  readonly spans?: Pick<CallSpans, "run">;
  readonly noteRefused: (spender: Spender, limit: LimitState) => void;
  /** Reports each answered or refused call to the open connection checks. Never waits. */
  readonly notifyChecks: (finished: FinishedCall) => void;
  /** Reports a failure that is not the caller's. Never gets a prompt or a credential. */
  readonly report: (error: GatewayError, requestId: string) => void;
  /** The console's origin; absent: the origin at which the API is called. */
  readonly publicUrl?: string;
  readonly random: () => number;
  /** Proofs of tool loops, for callers that cannot send them back. */
  readonly memory: ContinuationMemory;
}
