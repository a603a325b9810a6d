import { callerLeft, GatewayError } from "../canonical/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { AttemptHandle } from "./attempt_handle.ts";
import type { Clock } from "./clock.ts";
import { failoverError } from "./failure.ts";
import { faultOf } from "./fault.ts";
import type { Health } from "./health.ts";
import { type HealthStatus, rankOf, type State } from "./health_status.ts";

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
 * never after the caller has disconnected. Throws the most informative failure: a fault of the
 * caller at once, else a retry time, else the last failure.
 */
export async function firstSuccess<T>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Promise<T>,
  bounds: TryBounds,
): Promise<StartedAnswer<T>> {
  const tries: Tries = { left: [...candidates], failures: [], waitedMs: 0 };
  for (let next = await nextOf(tries, bounds); next; next = await nextOf(tries, bounds)) {
    const tried = await tryOnce(next, attempt, bounds);
    if ("answer" in tried) return tried;
    if (!isWorthMoving(tried.error, next.candidate)) throw tried.error;
    moveOn(tries, next.candidate, tried.error, bounds);
  }
  const { health, clock } = bounds;
  const nowMs = clock.now();
  const statuses = candidates.map((candidate) => health.status(candidate, nowMs));
  throw failoverError(tries.failures, statuses, nowMs);
}

interface Tries {
  /** The remaining candidates, in order. */
  left: readonly Candidate[];
  readonly failures: GatewayError[];
  waitedMs: number;
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
  const left = tries.left.map((candidate) => ({
    candidate,
    status: health.status(candidate, nowMs),
  }));
  const ready = firstEntered(left.filter(({ status }) => rankOf(status) === 0), health, 1);
  return ready ?? afterPause(left, tries, bounds);
}

async function afterPause(
  left: readonly Left[],
  tries: Tries,
  bounds: TryBounds,
): Promise<Next | undefined> {
  const nowMs = bounds.clock.now();
  const paused = left.flatMap(({ status: { state, untilMs = nowMs } }) =>
    state === "cooling" ? [untilMs - nowMs] : []
  );
  if (await waited(Math.min(...paused), tries, bounds)) return await nextOf(tries, bounds);
  return lastResort(left, bounds);
}

/** A remaining candidate and its health. */
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
  return firstEntered([...inState("half-open"), ...inState("open")], health, breakerCallsMax);
}

function isOver({ failures }: Tries, { attemptsMax, deadlineMs }: TryBounds, nowMs: number) {
  const tried = failures.filter((failure) => !isNotServed(failure)).length;
  return tried >= attemptsMax || (failures.length > 0 && nowMs >= deadlineMs);
}

function firstEntered(
  left: readonly { readonly candidate: Candidate }[],
  health: TryBounds["health"],
  probesMax: number,
): Next | undefined {
  for (const { candidate } of left) {
    const handle = health.begin(candidate, probesMax);
    if (handle) return { candidate, handle };
  }
  return undefined;
}

/** The remaining time to wait. */
function patience({ waitedMs }: Tries, { waitMsMax, deadlineMs, clock }: TryBounds): number {
  return Math.min(waitMsMax - waitedMs, deadlineMs - clock.now());
}

/** Waits if the time is within the bounds. Returns true if it waited. */
async function waited(ms: number, tries: Tries, bounds: TryBounds): Promise<boolean> {
  if (ms > patience(tries, bounds)) return false;
  await bounds.clock.wait(ms, bounds.caller);
  tries.waitedMs += ms;
  return true;
}

/** Makes one attempt, and reports it to health and to `onAttempt`. */
async function tryOnce<T>(
  { candidate, handle }: Next,
  attempt: (candidate: Candidate) => Promise<T>,
  { caller, clock, onAttempt }: TryBounds,
): Promise<StartedAnswer<T> | { readonly error: GatewayError }> {
  const startedAtMs = clock.now();
  const report = (error?: GatewayError) => {
    const durationMs = clock.now() - startedAtMs;
    onAttempt?.({ candidate, startedAtMs, durationMs, ...(error && { error }) });
    return durationMs;
  };
  try {
    const answer = await attempt(candidate);
    handle.answered(report());
    return { answer, handle };
  } catch (thrown) {
    const error = thrown instanceof GatewayError ? thrown : bug(thrown);
    handle.ended(caller.aborted ? callerLeft(error) : error);
    report(error);
    if (error !== thrown) throw thrown;
    return { error };
  }
}

/** The error that health records for a bug; the bug itself is rethrown. */
function bug(cause: unknown): GatewayError {
  return new GatewayError("internal_error", "The attempt failed because of a bug", { cause });
}

/** Returns true if another candidate may succeed. When the gateway stops, no attempt can. */
function isWorthMoving(error: GatewayError, candidate: Candidate): boolean {
  return isUnknownTo(candidate, error) || (error.retryable && error.code !== "shutting_down");
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
