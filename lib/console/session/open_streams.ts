/** Far more than one account ever has open. */
export const streamsOfAccountMax = 24;

/** The number of open streams of each account in this isolate. */
export class OpenStreams {
  readonly #counts = new Map<string, number>();

  /** Takes a place and returns a function that frees it; undefined if the account has too many. */
  take(accountId: string): (() => void) | undefined {
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= streamsOfAccountMax) return undefined;
    this.#counts.set(accountId, count + 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#giveBack(accountId);
      isOpen = false;
    };
  }

  #giveBack(accountId: string): void {
    const count = this.#counts.get(accountId) ?? 0;
    if (count > 1) this.#counts.set(accountId, count - 1);
    else this.#counts.delete(accountId);
  }
}
