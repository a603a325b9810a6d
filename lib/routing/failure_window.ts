/** Recent calls and failures, in two halves of the window; the older half is dropped as a whole. */
export class FailureWindow {
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
