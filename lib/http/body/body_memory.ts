import { GatewayError } from "../../canonical/mod.ts";

/** How much memory request bodies may take, in bytes. */
export interface BodyMemoryLimits {
  readonly totalBytes: number;
  readonly accountBytes: number;
  /** How long a body waits for what others take. */
  readonly waitMs: number;
}

/** The place of one call's body. */
export interface BodyPlace {
  /**
   * Holds so many bytes in all: at once where there is room, else after others have gone. Holds
   * nothing any more where it refuses, so that of bodies which wait for each other one goes on.
   */
  grow(bytes: number): Promise<void> | undefined;
  release(): void;
}

/**
 * Bounds the memory that the request bodies of calls in flight take together and in each account, so
 * that no number of large requests takes all there is. Throws `gateway_overloaded` for the whole,
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

  /** The bytes of all bodies. */
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
      for (const look of [...this.#waiting]) look();
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

  /** Why there is no room for so many bytes more; undefined where there is. */
  #shortage(accountId: string, more: number): GatewayError | undefined {
    const { totalBytes, accountBytes } = this.#limits;
    if ((this.#ofAccounts.get(accountId) ?? 0) + more > accountBytes) {
      return accountFull(accountBytes);
    }
    return this.#bytes + more > totalBytes ? gatewayFull() : undefined;
  }

  /** Tries again whenever others have gone, and gives up at the end of its time. */
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

/** The end of a call is not known; soon is a fair guess. */
const retryAfterSeconds = 2;

function accountFull(accountBytes: number): GatewayError {
  return new GatewayError(
    "rate_limit_exceeded",
    `Cannot read request body: the account's calls in flight hold bodies of ${accountBytes} bytes already. Not charged. Retry in ${retryAfterSeconds}s, or send fewer large requests at a time`,
    { retryAfterSeconds },
  );
}

function gatewayFull(): GatewayError {
  return new GatewayError(
    "gateway_overloaded",
    `Cannot read request body: the bodies of calls in flight take all the memory that the gateway has for them. Not charged. Retry in ${retryAfterSeconds}s`,
    { retryAfterSeconds },
  );
}
