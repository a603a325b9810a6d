/** Far more than a person or a script posts in a minute. */
export const changesPerMinuteMax = 600;
const minuteMs = 60_000;

/**
 * Limits the forms that each account posts per minute in this isolate, because audit entries are
 * kept for long.
 */
export class RecentChanges {
  readonly #counts = new Map<string, number>();
  #endsAtMs = 0;

  /** Counts a form. Returns false if the account has posted too many. */
  take(accountId: string, nowMs: number): boolean {
    if (nowMs >= this.#endsAtMs) {
      this.#counts.clear();
      this.#endsAtMs = nowMs + minuteMs;
    }
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= changesPerMinuteMax) return false;
    this.#counts.set(accountId, count + 1);
    return true;
  }
}
