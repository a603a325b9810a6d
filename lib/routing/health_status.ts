import type { ErrorCode } from "../canonical/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { Breaker, Cooldown } from "./breaker.ts";

/**
 * The admitted calls: all (`closed`), one probe at a time (`half-open`), none until the upstream's
 * rate limit pause ends (`cooling`), or none (`open`). If no other candidates are left, a bounded
 * number of calls goes to open and half-open ones.
 */
export type State = "closed" | "half-open" | "cooling" | "open";

/** The health of a target, judged by its last calls. */
export interface HealthStatus {
  readonly state: State;
  /** The last failure, if it is not closed. */
  readonly cause?: ErrorCode;
  /** The end of the open or cooling state, in epoch milliseconds. */
  readonly untilMs?: number;
  /**
   * The retry time that its last failure requested, else the time at which it becomes half-open;
   * absent while closed or cooling.
   */
  readonly retryAtMs?: number;
  /** True while a probe is running: other calls prefer other candidates. */
  readonly isProbing: boolean;
}

export const healthy: HealthStatus = { state: "closed", isProbing: false };

/**
 * The order of attempts: 0 healthy, 1 paused, 2 last resort. A half-open target keeps its place for
 * one call at a time, so that it is probed.
 */
export function rankOf({ state, isProbing }: HealthStatus): 0 | 1 | 2 {
  if (state === "open" || isProbing) return 2;
  return state === "cooling" ? 1 : 0;
}

export function healthStatusOf(
  { breaker, cooldown }: { readonly breaker: Breaker; readonly cooldown: Cooldown },
  nowMs: number,
): HealthStatus {
  const state = breaker.state(nowMs);
  const isCooling = nowMs < cooldown.untilMs;
  if (state === "closed" && !isCooling) return healthy;
  const isProbing = state !== "closed" && breaker.probes > 0;
  const failure = failureOf(breaker);
  if (state === "open") return { state, isProbing, ...failure, untilMs: breaker.untilMs };
  if (!isCooling) return { state, isProbing, ...failure };
  return { state: "cooling", isProbing, cause: "rate_limit_exceeded", untilMs: cooldown.untilMs };
}

function failureOf({ last, untilMs }: Breaker): Pick<HealthStatus, "cause" | "retryAtMs"> {
  const askedSeconds = last?.retryAfterSeconds;
  const retryAtMs = askedSeconds === undefined ? untilMs : last && last.atMs + askedSeconds * 1000;
  return { ...(last && { cause: last.code }), ...(retryAtMs !== undefined && { retryAtMs }) };
}

/** The status of a candidate whose targets differ. */
export function worseStatus(a: HealthStatus, b: HealthStatus): HealthStatus {
  const [better, worse] = severity[a.state] <= severity[b.state] ? [a, b] : [b, a];
  const untilMs = Math.max(better.untilMs ?? 0, worse.untilMs ?? 0);
  return {
    ...worse,
    isProbing: a.isProbing || b.isProbing,
    ...(untilMs > 0 && { untilMs }),
  };
}

const severity = { closed: 0, "half-open": 1, cooling: 2, open: 3 } as const satisfies Record<
  State,
  number
>;

/**
 * A target whose health is tracked: an upstream, one of its credentials, or a model by one
 * credential.
 */
export interface HealthTarget {
  readonly upstreamId: string;
  readonly credentialId?: string;
  /** The upstream's own name of the model. */
  readonly model?: string;
}

export const scopes = ["upstream", "credential", "model"] as const;
/** One of a candidate's three targets. */
export type Scope = typeof scopes[number];

export function healthTargetOf(candidate: Candidate, scope: Scope): HealthTarget {
  const { upstream: { id: upstreamId }, credential, upstreamModel: model } = candidate;
  if (scope === "upstream") return { upstreamId };
  const credentialId = credential && { credentialId: credential.id };
  return scope === "credential"
    ? { upstreamId, ...credentialId }
    : { upstreamId, ...credentialId, model };
}

/**
 * Unique names of a candidate's targets, and of its model over all credentials: ids contain no
 * spaces, and the model comes last.
 */
type HealthTargetNames = Readonly<Record<Scope | "observed", string>>;

export function healthTargetNames(candidate: Candidate): HealthTargetNames {
  const known = kept.get(candidate);
  if (known) return known;
  const { upstream: { id: upstream }, credential: used, upstreamModel } = candidate;
  const credential = `${upstream} ${used?.id ?? ""}`;
  const names = {
    upstream,
    credential,
    model: `${credential} ${upstreamModel}`,
    observed: observedName({ upstreamId: upstream, model: upstreamModel }),
  };
  kept.set(candidate, names);
  return names;
}

/** The name of a model over all credentials. */
export function observedName({ upstreamId, model }: HealthTarget): string {
  return `${upstreamId} ${model ?? ""}`;
}

/** Calls of the same model share their candidates. */
const kept = new WeakMap<Candidate, HealthTargetNames>();

/** The weight of a new value in the moving average. */
const share = 0.1;
/** The half-life of the error share without calls. */
const halfLifeMs = 60_000;

/** Recent latency and errors of an upstream's model, over all credentials. */
export interface ObservedHealth {
  /** Milliseconds to the first byte of an answer; absent before the first one. */
  readonly firstByteMs?: number;
  /** The share of failed calls, 0 to 1. */
  readonly errorShare: number;
}

export const unobserved: ObservedHealth = { errorShare: 0 };

/** Moving averages, in constant memory. */
export class Observation {
  #calls = 0;
  #answers = 0;
  #firstByteMs = 0;
  #errorShare = 0;
  #atMs = 0;

  answered(firstByteMs: number): void {
    const part = Math.max(share, 1 / ++this.#answers);
    this.#firstByteMs += (firstByteMs - this.#firstByteMs) * part;
  }

  ended(nowMs: number, failed: boolean): void {
    const part = Math.max(share, 1 / ++this.#calls / 2); // a single failure does not mean an error share of 1
    const before = this.#errorShareAt(nowMs);
    this.#errorShare = before + (Number(failed) - before) * part;
    this.#atMs = nowMs;
  }

  at(nowMs: number): ObservedHealth {
    const errorShare = this.#errorShareAt(nowMs);
    return this.#answers > 0 ? { firstByteMs: this.#firstByteMs, errorShare } : { errorShare };
  }

  #errorShareAt(nowMs: number): number {
    return this.#errorShare * 2 ** (-Math.max(0, nowMs - this.#atMs) / halfLifeMs);
  }
}
