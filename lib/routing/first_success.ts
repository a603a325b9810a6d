import { callerLeft, GatewayError } from "../canonical/mod.ts";
import { pause } from "../store/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { AttemptHandle } from "./attempt_handle.ts";
import { failoverError, faultOf } from "./failure.ts";
import type { Health } from "./health.ts";
import { type HealthStatus, rankOf, type State } from "./health_status.ts";
import type { RetryBudget } from "./retry.ts";

/** The limits and dependencies of the attempts. */
export interface TryBounds {
  readonly caller: AbortSignal;
  /** The deadline, on the clock's time; nothing is tried after it. */
  readonly deadlineMs: number;
  readonly attemptsMax: number;
  /** The longest total wait for paused upstreams, if no others are left. */
  readonly waitMsMax: number;
  /** The most concurrent calls to a target with an open breaker, if no others are left. */
  readonly breakerCallsMax: number;
  readonly health: Pick<Health, "status" | "begin">;
  readonly clock: Clock;
  /** Allows a retry at the upstream that failed last; absent: none is made. */
  readonly retries?: Pick<RetryBudget, "pauseMs" | "begin">;
  /** False if the same request could do its work twice; absent: true. */
  readonly isRepeatable?: () => boolean;
  /** Receives every attempt, after it failed or its answer started. */
  readonly onAttempt?: (attempt: AttemptResult) => void;
}

/** One try at one candidate. */
export interface AttemptResult {
  readonly candidate: Candidate;
  readonly startedAtMs: number;
  /** The time until its failure, or its answer's first byte. */
  readonly durationMs: number;
  /** Absent if the answer started. */
  readonly error?: GatewayError;
}

/** A started answer, and the handle that reports its end to health. */
export interface StartedAnswer<T> {
  readonly answer: T;
  readonly handle: AttemptHandle;
}

/**
 * Tries candidates until an answer starts. Healthy ones come first, in order; then paused ones, if
 * their pause ends soon; then those behind a breaker, with a bounded number of concurrent calls, so
 * that no call waits for another one's probe. Moves on only if another candidate may succeed, and
 * never after the caller has disconnected. If none is left, the last one is tried once more after a
 * short pause, if its failure may pass at once and the budget of retries allows it. Throws the most
 * informative failure: a fault of the caller at once, else a retry time, else the last failure.
 */
export async function firstSuccess<T>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Promise<T>,
  bounds: TryBounds,
): Promise<StartedAnswer<T>> {
  const tries: Tries = { left: candidates, failures: [], waitedMs: 0 };
  try {
    for (;;) {
      const found = nextOf(tries, bounds);
      const next = found instanceof Promise ? await found : found;
      if (!next) throw noSuccess(candidates, tries, bounds);
      const { candidate, handle } = next;
      const startedAtMs = bounds.clock.now();
      try {
        const answer = await attempt(candidate);
        const durationMs = bounds.clock.now() - startedAtMs;
        bounds.onAttempt?.({ candidate, startedAtMs, durationMs });
        handle.answered(durationMs);
        return { answer, handle };
      } catch (thrown) {
        const error = failed(next, thrown, startedAtMs, bounds);
        if (!isWorthMoving(error, candidate)) throw error;
        moveOn(tries, candidate, error, bounds);
        if (tries.left.length === 0) await prepareRetry(tries, candidate, error, bounds);
      }
    }
  } finally {
    tries.endRetry?.();
  }
}

function noSuccess(
  candidates: readonly Candidate[],
  { failures }: Tries,
  { health, clock }: TryBounds,
): GatewayError {
  const nowMs = clock.now();
  const statuses = candidates.map((candidate) => health.status(candidate, nowMs));
  return failoverError(failures, statuses, nowMs);
}

interface Tries {
  /** The remaining candidates, in order. */
  left: readonly Candidate[];
  readonly failures: GatewayError[];
  waitedMs: number;
  /** Returns the retry to its budget; present once the last candidate is tried again. */
  endRetry?: () => void;
}

/** Leaves the last candidate for one more attempt after a pause, if its failure allows it. */
async function prepareRetry(
  tries: Tries,
  candidate: Candidate,
  error: GatewayError,
  bounds: TryBounds,
): Promise<void> {
  const { retries, isRepeatable, health, clock, caller } = bounds;
  const nowMs = clock.now();
  const ms = retries?.pauseMs(error, candidate);
  if (ms === undefined || tries.endRetry || caller.aborted || isOver(tries, bounds, nowMs)) return;
  if (rankOf(health.status(candidate, nowMs)) > 0 || isRepeatable?.() === false) return;
  tries.endRetry = retries?.begin(candidate);
  if (tries.endRetry && await waited(ms, tries, bounds)) tries.left = [candidate];
}

interface Next {
  readonly candidate: Candidate;
  readonly handle: AttemptHandle;
}

/**
 * The next candidate to try, after waiting for a pause if necessary; undefined if none is left
 * within the bounds.
 */
function nextOf(tries: Tries, bounds: TryBounds): Next | undefined | Promise<Next | undefined> {
  const { health, clock, caller } = bounds;
  if (caller.aborted) throw callerLeft();
  const nowMs = clock.now();
  if (isOver(tries, bounds, nowMs)) return undefined;
  for (const candidate of tries.left) {
    const isHealthy = rankOf(health.status(candidate, nowMs)) === 0;
    const handle = isHealthy && health.begin(candidate, 1);
    if (handle) return { candidate, handle };
  }
  return afterPause(tries, bounds, nowMs);
}

/** `nowMs` is when no candidate was healthy: a pause may end at any moment. */
async function afterPause(
  tries: Tries,
  bounds: TryBounds,
  nowMs: number,
): Promise<Next | undefined> {
  const { health } = bounds;
  const left = tries.left.map((candidate) => ({
    candidate,
    status: health.status(candidate, nowMs),
  }));
  const paused = left.flatMap(({ status: { state, untilMs = nowMs } }) =>
    state === "cooling" ? [untilMs - nowMs] : []
  );
  if (await waited(Math.min(...paused), tries, bounds)) return await nextOf(tries, bounds);
  return lastResort(left, bounds);
}

interface Left {
  readonly candidate: Candidate;
  readonly status: HealthStatus;
}

/** The candidates behind breakers, half-open ones first; tried if no others are left. */
function lastResort(
  left: readonly Left[],
  { health, breakerCallsMax }: TryBounds,
): Next | undefined {
  const inState = (wanted: State) => left.filter(({ status }) => status.state === wanted);
  for (const { candidate } of [...inState("half-open"), ...inState("open")]) {
    const handle = health.begin(candidate, breakerCallsMax);
    if (handle) return { candidate, handle };
  }
}

function isOver({ failures }: Tries, { attemptsMax, deadlineMs }: TryBounds, nowMs: number) {
  if (failures.length === 0) return attemptsMax <= 0;
  const tried = failures.filter((failure) => !isNotServed(failure)).length;
  return tried >= attemptsMax || nowMs >= deadlineMs;
}

/** Waits if the time is within the bounds. Returns true if it waited. */
async function waited(
  ms: number,
  tries: Tries,
  { waitMsMax, deadlineMs, clock, caller }: TryBounds,
): Promise<boolean> {
  if (ms > Math.min(waitMsMax - tries.waitedMs, deadlineMs - clock.now())) return false;
  await clock.wait(ms, caller);
  tries.waitedMs += ms;
  return true;
}

/** Reports a failed attempt to health and to `onAttempt`. Rethrows a bug. */
function failed(
  { candidate, handle }: Next,
  thrown: unknown,
  startedAtMs: number,
  { caller, clock, onAttempt }: TryBounds,
): GatewayError {
  const error = thrown instanceof GatewayError ? thrown : bug(thrown);
  handle.ended(caller.aborted ? callerLeft(error) : error);
  onAttempt?.({ candidate, startedAtMs, durationMs: clock.now() - startedAtMs, error });
  if (error !== thrown) throw thrown;
  return error;
}

/** The error that health records for a bug; the bug itself is rethrown. */
function bug(cause: unknown): GatewayError {
  return new GatewayError("internal_error", "The attempt failed because of a bug", { cause });
}

/** Returns true if another candidate may succeed. When the gateway stops, no attempt can. */
function isWorthMoving(error: GatewayError, candidate: Candidate): boolean {
  return isUnknownTo(candidate, error) || isUnreadable(error) ||
    (error.retryable && error.code !== "shutting_down");
}

/**
 * Returns true if the upstream cannot read a reasoning or a compaction that its vendor encrypted:
 * another organization made it, whose credential may be the next.
 */
function isUnreadable({ said }: GatewayError): boolean {
  return said?.code === "invalid_encrypted_content";
}

/**
 * Returns true if the upstream lacks the endpoint, or a model that we only guessed it had. It has
 * done no work then.
 */
function isUnknownTo({ isGuess }: Candidate, error: GatewayError): boolean {
  return isNotServed(error) || (isGuess === true && error.code === "model_not_found");
}

/**
 * Returns true if the upstream lacks the endpoint. It has done no work then, and another one may
 * have it.
 */
function isNotServed({ code }: GatewayError): boolean {
  return code === "endpoint_not_served";
}

/**
 * Removes a failed candidate unless it is paused. If the upstream is at fault rather than the
 * credential, its other credentials move behind the other upstreams.
 */
function moveOn(
  tries: Tries,
  failed: Candidate,
  error: GatewayError,
  { health, clock }: TryBounds,
): void {
  tries.failures.push(error);
  const isPaused = health.status(failed, clock.now()).state === "cooling";
  const left = tries.left.filter((candidate) => candidate !== failed || isPaused);
  const fault = faultOf(error);
  const isKin = ({ upstream }: Candidate) =>
    (fault === "upstream" || fault === "model") && upstream.id === failed.upstream.id;
  const others = left.filter(({ upstream }) => upstream.id !== failed.upstream.id);
  tries.left = isUnknownTo(failed, error)
    ? others
    : [...left.filter((one) => !isKin(one)), ...left.filter(isKin)];
}

/** The time source of attempts. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or earlier when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The real clock. */
export const systemClock: Clock = { now: Date.now, wait: pause };
