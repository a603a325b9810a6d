/** How long a pause lasts. */
export interface CooldownRule {
  /** Where the upstream does not say; twice as long each time in a row. */
  readonly cooldownMs: number;
  /** However long the upstream says. */
  readonly cooldownMsMax: number;
}

/** A pause that an upstream asked for by refusing the pace of calls. */
export class Cooldown {
  #untilMs = 0;
  #times = 0;

  get untilMs(): number {
    return this.#untilMs;
  }

  /** Calls that were out already when it began make it no longer, unless the upstream says so. */
  begin(nowMs: number, retryAfterSeconds: number | undefined, rule: CooldownRule): void {
    const isCooling = nowMs < this.#untilMs;
    if (isCooling && retryAfterSeconds === undefined) return;
    const ms = retryAfterSeconds === undefined
      ? rule.cooldownMs * 2 ** this.#times
      : retryAfterSeconds * 1000;
    this.#untilMs = Math.max(this.#untilMs, nowMs + Math.min(ms, rule.cooldownMsMax));
    if (!isCooling) this.#times++;
  }

  /** A call was answered. */
  end(): void {
    this.#times = 0;
  }
}
