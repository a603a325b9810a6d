import { GatewayError } from "../canonical/mod.ts";

const minuteMs = 60_000;
/** The bytes counted for a record in addition to its content. */
const recordBytes = 1_000;
const accountsMax = 10_000;

/**
 * Limits the bytes per minute that an account adds to conversations without a call. These writes
 * are not charged, so they need a limit of their own to protect the store.
 */
export class FreeWrites {
  readonly #bytesMax: number;
  readonly #now: () => number;
  readonly #bytes = new Map<string, number>();
  #minute = 0;

  constructor(bytesMax: number, now: () => number) {
    this.#bytesMax = bytesMax;
    this.#now = now;
  }

  /** Counts a write. Throws `rate_limit_exceeded` if it exceeds the limit of this minute. */
  take(accountId: string, bytes: number): void {
    const nowMs = this.#now();
    const minute = Math.floor(nowMs / minuteMs);
    if (minute !== this.#minute || this.#bytes.size > accountsMax) this.#bytes.clear();
    this.#minute = minute;
    const taken = (this.#bytes.get(accountId) ?? 0) + recordBytes + bytes;
    if (taken > this.#bytesMax) throw this.#refused((minute + 1) * minuteMs - nowMs);
    this.#bytes.set(accountId, taken);
  }

  #refused(waitMs: number): GatewayError {
    return new GatewayError(
      "rate_limit_exceeded",
      `Rate limited: the account may add ${this.#bytesMax} bytes per minute to conversations. Retry in the next minute`,
      { retryAfterSeconds: Math.ceil(waitMs / 1_000) },
    );
  }
}
