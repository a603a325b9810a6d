/** The weight of a new value in the moving average. */
const share = 0.1;
/** The half-life of the error share without calls. */
const halfLifeMs = 60_000;

/** Recent latency and errors of an upstream's model, over all credentials. */
export interface Observed {
  /** Milliseconds to the first byte of an answer; absent before the first one. */
  readonly firstByteMs?: number;
  /** The share of failed calls, 0 to 1. */
  readonly errorShare: number;
}

export const unobserved: Observed = { errorShare: 0 };

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

  at(nowMs: number): Observed {
    const errorShare = this.#errorShareAt(nowMs);
    return this.#answers > 0 ? { firstByteMs: this.#firstByteMs, errorShare } : { errorShare };
  }

  #errorShareAt(nowMs: number): number {
    return this.#errorShare * 2 ** (-Math.max(0, nowMs - this.#atMs) / halfLifeMs);
  }
}
