/** More than anybody clicks, and than a user's own script would need. */
export const changesPerMinuteMax = 600;
const minuteMs = 60_000;

/** The number of forms that each account posted within the minute, in this isolate: audit entries are kept for long. */
export class RecentChanges {
  readonly #counts = new Map<string, number>();
  #endsAtMs = 0;

  /** Counts one; false where the account has sent too many. */
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
