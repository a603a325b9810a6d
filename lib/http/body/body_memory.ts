import { GatewayError } from "../../canonical/mod.ts";

interface BodyMemoryLimits {
  readonly totalBytes: number;
  readonly accountBytes: number;
  /** Maximum time in milliseconds that a body waits for others' memory. */
  readonly waitMs: number;
}

/** The memory reservation of one call's body. */
interface BodyPlace {
  /**
   * Grows the reservation to this total: at once if there is room, else after others are released.
   * A refusal releases it, so that one of several waiting bodies continues.
   */
  grow(bytes: number): Promise<void> | undefined;
  release(): void;
}

/**
 * Limits the total memory of the request bodies of calls in flight, for the process and per
 * account, so that large requests cannot exhaust it. Throws `gateway_overloaded` for the process,
 * `rate_limit_exceeded` for an account.
 */
export class BodyMemory {
  readonly #limits: BodyMemoryLimits;
  readonly #ofAccounts = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #bytes = 0;

  constructor(limits: BodyMemoryLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  place(accountId: string): BodyPlace {
    let held = 0;
    let isOver = false;
    const release = () => {
      isOver = true;
      this.#add(accountId, -held);
      held = 0;
      if (this.#waiting.size > 0) { for (const look of [...this.#waiting]) look(); }
    };
    const tryTake = (bytes: number) => {
      if (this.#shortage(accountId, bytes - held)) return false;
      this.#add(accountId, bytes - held);
      held = bytes;
      return true;
    };
    return {
      grow: (bytes) => {
        if (isOver || bytes <= held || tryTake(bytes)) return undefined;
        return this.#untilRoom(() => isOver || tryTake(bytes), () => {
          const shortage = this.#shortage(accountId, bytes - held);
          release();
          return shortage;
        });
      },
      release,
    };
  }

  #add(accountId: string, bytes: number): void {
    this.#bytes += bytes;
    const ofAccount = (this.#ofAccounts.get(accountId) ?? 0) + bytes;
    if (ofAccount > 0) this.#ofAccounts.set(accountId, ofAccount);
    else this.#ofAccounts.delete(accountId);
  }

  /** The error if there is no room for so many more bytes; undefined if there is. */
  #shortage(accountId: string, more: number): GatewayError | undefined {
    const { totalBytes, accountBytes } = this.#limits;
    if ((this.#ofAccounts.get(accountId) ?? 0) + more > accountBytes) {
      return accountFull(accountBytes);
    }
    return this.#bytes + more > totalBytes ? gatewayFull() : undefined;
  }

  /** Retries whenever others are released, until the time is over. */
  #untilRoom(tryTake: () => boolean, giveUp: () => GatewayError | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!tryTake()) return;
        end();
        resolve();
      };
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
      };
      const timer = setTimeout(() => {
        end();
        reject(giveUp() ?? gatewayFull());
      }, this.#limits.waitMs);
      this.#waiting.add(look);
    });
  }
}

/** The end of a call is unknown, so this is a guess. */
const retryAfterSeconds = 2;

function accountFull(accountBytes: number): GatewayError {
  return new GatewayError(
    "rate_limit_exceeded",
    `Cannot read request body: the account's concurrent requests already hold ${accountBytes} bytes. Not charged. Retry in ${retryAfterSeconds}s, or send fewer large requests at once`,
    { retryAfterSeconds },
  );
}

function gatewayFull(): GatewayError {
  return new GatewayError(
    "gateway_overloaded",
    `Cannot read request body: concurrent requests use all of the gateway's memory for bodies. Not charged. Retry in ${retryAfterSeconds}s`,
    { retryAfterSeconds },
  );
}
