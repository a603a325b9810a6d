import type { ErrorCode } from "../canonical/mod.ts";
import { FailureWindow } from "./failure_window.ts";

/** When failures open a breaker, and for how long. */
export interface BreakerRule {
  /** So many in a row. */
  readonly failuresMax: number;
  /** So many in the window, when at least half of its calls failed. */
  readonly windowFailuresMax: number;
  /** How long it is open the first time; twice as long each time that a probe fails. */
  readonly openMs: number;
  readonly openMsMax: number;
}

export type BreakerState = "closed" | "open" | "half-open";

/**
 * How a call came through: as any other; as the probe of a half-open breaker; or forced, while it is
 * open, because nothing else was left.
 */
export type Way = "call" | "probe" | "forced";

/**
 * Keeps calls away from what keeps failing. Open for a while, then half-open: one call at a time
 * probes. A probe that begins to answer closes it on trial, where one more failure opens it again;
 * only a whole answer clears it. Given the time by its caller.
 */
export class Breaker {
  readonly #window: FailureWindow;
  #failures = 0;
  /** How often it opened since the last whole answer. */
  #opened = 0;
  #untilMs?: number;
  #onTrial = false;
  #probing = false;
  #last?: { readonly code: ErrorCode; readonly atMs: number };
  #waiting: (() => void)[] = [];

  constructor(windowMs: number) {
    this.#window = new FailureWindow(windowMs);
  }

  /** While one is out, nobody else comes through. */
  get isProbing(): boolean {
    return this.#probing;
  }

  /** Until when it is open; absent where it is closed. */
  get untilMs(): number | undefined {
    return this.#untilMs;
  }

  get failures(): number {
    return this.#failures;
  }

  get last(): { readonly code: ErrorCode; readonly atMs: number } | undefined {
    return this.#last;
  }

  state(nowMs: number): BreakerState {
    if (this.#untilMs === undefined) return "closed";
    return nowMs < this.#untilMs ? "open" : "half-open";
  }

  recent(nowMs: number): { readonly calls: number; readonly failures: number } {
    return this.#window.counts(nowMs);
  }

  /** Lets a call through, which takes the probe's place unless the breaker is closed. To be asked only while none is out. */
  enter(nowMs: number): Way {
    const state = this.state(nowMs);
    if (state === "closed") return "call";
    this.#probing = true;
    return state === "half-open" ? "probe" : "forced";
  }

  /** The answer of one that came through began well. */
  answered(way: Way): void {
    this.left(way);
    if (way === "call") return;
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

  failed(nowMs: number, { code, way, rule }: Failure): void {
    this.left(way);
    this.#last = { code, atMs: nowMs };
    if (this.#untilMs !== undefined) {
      if (way === "probe") this.#open(nowMs, rule);
      return;
    }
    this.#failures++;
    this.#window.add(nowMs, true);
    if (this.#onTrial || this.#isTooMuch(nowMs, rule)) this.#open(nowMs, rule);
  }

  /** One that came through is gone, with no word of how the upstream is. */
  left(way: Way): void {
    if (way === "call") return;
    this.#probing = false;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when no probe is out. */
  freed(): Promise<void> {
    if (!this.#probing) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
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
  readonly code: ErrorCode;
  readonly way: Way;
  readonly rule: BreakerRule;
}
