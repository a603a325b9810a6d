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
