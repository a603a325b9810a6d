/** More than anybody clicks, and than a script of one's own would need. */
export const changesPerMinuteMax = 600;
const minuteMs = 60_000;

/** How many forms each account has sent within the minute, in this isolate: what is written stays for long. */
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
