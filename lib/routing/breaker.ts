import type { GatewayError } from "../canonical/mod.ts";

/** The failures that open a breaker, and the time for which it stays open. */
export interface BreakerRule {
  /** Consecutive failures. */
  readonly failuresMax: number;
  /** Failures in the window; at least half of its calls must have failed, too. */
  readonly windowFailuresMax: number;
  /** The first open period; doubled after each failed probe. */
  readonly openMs: number;
  readonly openMsMax: number;
}

type BreakerState = "closed" | "open" | "half-open";

/** The kind of an admitted call: a normal one, or a probe while the breaker is not closed. */
export type AdmissionKind = "call" | "probe";

/** The most recent failure, without its message, which may quote another caller's prompt. */
type LastFailure = Pick<GatewayError, "code" | "retryAfterSeconds"> & {
  readonly atMs: number;
};

/**
 * Keeps calls away from a target that keeps failing. It is open for a while, then half-open: calls
 * probe it. The first probe whose answer starts closes it on trial: then one failure opens it
 * again, and only a complete answer ends the trial. The caller passes the time, and bounds the
 * number of concurrent probes.
 */
export class Breaker {
  readonly #window: FailureWindow;
  #failures = 0;
  /** The number of openings since the last complete answer. */
  #opened = 0;
  #untilMs?: number;
  #onTrial = false;
  #probes = 0;
  #last?: LastFailure;

  constructor(windowMs: number) {
    this.#window = new FailureWindow(windowMs);
  }

  get probes(): number {
    return this.#probes;
  }

  /** The end of the open period; undefined while it is closed. */
  get untilMs(): number | undefined {
    return this.#untilMs;
  }

  get failures(): number {
    return this.#failures;
  }

  get last(): LastFailure | undefined {
    return this.#last;
  }

  state(nowMs: number): BreakerState {
    if (this.#untilMs === undefined) return "closed";
    return nowMs < this.#untilMs ? "open" : "half-open";
  }

  recent(nowMs: number): { readonly calls: number; readonly failures: number } {
    return this.#window.counts(nowMs);
  }

  /** Admits a call; unless the breaker is closed, the call is a probe. */
  enter(nowMs: number): AdmissionKind {
    if (this.state(nowMs) === "closed") return "call";
    this.#probes++;
    return "probe";
  }

  /** Reports that an admitted call's answer has started. */
  answered(way: AdmissionKind): void {
    this.left(way);
    if (way === "call" || this.#untilMs === undefined) return; // closed by another probe already
    this.#untilMs = undefined;
    this.#onTrial = true;
  }

  /**
   * An answer is complete. Ignored while the breaker is open or half-open: the answer started
   * before that.
   */
  completed(nowMs: number): void {
    if (this.#untilMs !== undefined) return;
    this.#failures = 0;
    this.#opened = 0;
    this.#onTrial = false;
    this.#window.add(nowMs, false);
  }

  failed(nowMs: number, { error, way, rule }: Failure): void {
    this.left(way);
    const { code, retryAfterSeconds } = error;
    this.#last = { code, retryAfterSeconds, atMs: nowMs };
    if (way === "probe") {
      // one failed probe prolongs the open period for all; once it is open again, others change
      // nothing
      if (this.state(nowMs) === "half-open") this.#open(nowMs, rule);
      return;
    }
    if (this.#untilMs !== undefined) return; // started before the breaker opened
    this.#failures++;
    this.#window.add(nowMs, true);
    if (this.#onTrial || this.#isTooMuch(nowMs, rule)) this.#open(nowMs, rule);
  }

  /** An admitted call ended without a result that says anything about the target. */
  left(way: AdmissionKind): void {
    if (way === "probe") this.#probes--;
  }

  #isTooMuch(nowMs: number, { failuresMax, windowFailuresMax }: BreakerRule): boolean {
    const { calls, failures } = this.#window.counts(nowMs);
    return this.#failures >= failuresMax ||
      (failures >= windowFailuresMax && failures * 2 >= calls);
  }

  #open(nowMs: number, { openMs, openMsMax }: BreakerRule): void {
    this.#untilMs = nowMs + Math.min(openMs * 2 ** this.#opened, openMsMax);
    this.#opened++;
    this.#onTrial = false;
    this.#window.clear();
  }
}

interface Failure {
  readonly error: Pick<GatewayError, "code" | "retryAfterSeconds">;
  readonly way: AdmissionKind;
  readonly rule: BreakerRule;
}

/** Recent calls and failures, in two halves of the window; the older half is dropped as a whole. */
class FailureWindow {
  readonly #halfMs: number;
  #sinceMs = 0;
  #now = { calls: 0, failures: 0 };
  #before = { calls: 0, failures: 0 };

  constructor(windowMs: number) {
    this.#halfMs = windowMs / 2;
  }

  add(nowMs: number, failed: boolean): void {
    this.#move(nowMs);
    this.#now.calls++;
    if (failed) this.#now.failures++;
  }

  counts(nowMs: number): { readonly calls: number; readonly failures: number } {
    this.#move(nowMs);
    return {
      calls: this.#now.calls + this.#before.calls,
      failures: this.#now.failures + this.#before.failures,
    };
  }

  clear(): void {
    this.#now = { calls: 0, failures: 0 };
    this.#before = { calls: 0, failures: 0 };
  }

  #move(nowMs: number): void {
    const halves = Math.floor((nowMs - this.#sinceMs) / this.#halfMs);
    if (halves < 1) return;
    this.#before = halves === 1 ? this.#now : { calls: 0, failures: 0 };
    this.#now = { calls: 0, failures: 0 };
    this.#sinceMs += halves * this.#halfMs;
  }
}

/** The length of a pause. */
export interface CooldownRule {
  /** The default if the upstream sends no time; doubled with each consecutive pause. */
  readonly cooldownMs: number;
  /** The upper limit, even if the upstream requests more. */
  readonly cooldownMsMax: number;
}

/** The pause after an upstream's rate limit error. */
export class Cooldown {
  #untilMs = 0;
  #times = 0;

  get untilMs(): number {
    return this.#untilMs;
  }

  /**
   * Starts or extends the pause. Without a requested time, calls that were already running when the
   * pause began do not extend it.
   */
  begin(nowMs: number, retryAfterSeconds: number | undefined, rule: CooldownRule): void {
    const isCooling = nowMs < this.#untilMs;
    if (isCooling && retryAfterSeconds === undefined) return;
    const ms = retryAfterSeconds === undefined
      ? rule.cooldownMs * 2 ** this.#times
      : retryAfterSeconds * 1000;
    this.#untilMs = Math.max(this.#untilMs, nowMs + Math.min(ms, rule.cooldownMsMax));
    if (!isCooling) this.#times++;
  }

  /** A call was answered, so the next pause has its default length again. */
  end(): void {
    this.#times = 0;
  }
}
