/** The weight of a new value in the moving average. */
const share = 0.1;
/** Failures are half forgotten after so long without a call. */
const halfLifeMs = 60_000;

/** Recent latency and errors of an upstream's model, over all credentials. */
export interface Observed {
  /** Until an answer's first byte; absent before the first answer. */
  readonly firstByteMs?: number;
  /** The share of failed calls, 0 to 1. */
  readonly errorShare: number;
}

export const unobserved: Observed = { errorShare: 0 };

/** Moving averages, cheap to keep. */
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
    const part = Math.max(share, 1 / ++this.#calls / 2); // a single failure is no certainty
    const before = this.#errorShareAt(nowMs);
    this.#errorShare = before + (Number(failed) - before) * part;
    this.#atMs = nowMs;
  }

  at(nowMs: number): Observed {
    const errorShare = this.#errorShareAt(nowMs);
    return this.#answers > 0 ? { firstByteMs: this.#firstByteMs, errorShare } : { errorShare };
  }

  #errorShareAt(nowMs: number): number {
    return this.#errorShare * 2 ** (-Math.max(0, nowMs - this.#atMs) / halfLifeMs);
  }
}
