import type { GatewayError } from "../canonical/mod.ts";
import { FailureWindow } from "./failure_window.ts";

/** When failures open a breaker, and for how long. */
export interface BreakerRule {
  /** So many in a row. */
  readonly failuresMax: number;
  /** So many in the window, when at least half of its calls failed. */
  readonly windowFailuresMax: number;
  /** The first open period; doubled each time that a probe fails. */
  readonly openMs: number;
  readonly openMsMax: number;
}

type BreakerState = "closed" | "open" | "half-open";

/** The kind of an admitted call: a normal one, or a probe while the breaker is not closed. */
export type Way = "call" | "probe";

/** The most recent failure, without its words: they may quote the prompt of another caller. */
type LastFailure = Pick<GatewayError, "code" | "retryAfterSeconds"> & {
  readonly atMs: number;
};

/**
 * Keeps calls away from a target that keeps failing. Open for a while, then half-open: a call probes
 * it. The first probe to begin an answer closes it on trial, where one more failure opens it again;
 * only a whole answer clears it. The caller gives the time, and decides how many calls may probe at
 * once.
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

  /** The number of running probes. */
  get probes(): number {
    return this.#probes;
  }

  /** Until when it is open; absent where it is closed. */
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

  /** Lets a call through, which is a probe unless the breaker is closed. */
  enter(nowMs: number): Way {
    if (this.state(nowMs) === "closed") return "call";
    this.#probes++;
    return "probe";
  }

  /** The answer of one that came through began well. */
  answered(way: Way): void {
    this.left(way);
    if (way === "call" || this.#untilMs === undefined) return; // closed by another probe already
    this.#untilMs = undefined;
    this.#onTrial = true;
  }

  /** An answer came to its end. One that began before the breaker opened says nothing of now. */
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
      // one probe that fails prolongs the pause for all; after a newer answer it says nothing of now
      if (this.state(nowMs) === "half-open") this.#open(nowMs, rule);
      return;
    }
    if (this.#untilMs !== undefined) return; // began before the breaker opened
    this.#failures++;
    this.#window.add(nowMs, true);
    if (this.#onTrial || this.#isTooMuch(nowMs, rule)) this.#open(nowMs, rule);
  }

  /** One that came through is gone, with no word of how the upstream is. */
  left(way: Way): void {
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
  readonly way: Way;
  readonly rule: BreakerRule;
}
