import { GatewayError } from "../canonical/mod.ts";
import type { Limits } from "../config.ts";
import { GroupCommit } from "../ledger/mod.ts";
import type { Store } from "../store/mod.ts";
import { type ExchangeToStore, storeExchanges } from "../store/responses/mod.ts";
import type { TurnMemory } from "./socket_memory.ts";

interface StateSettings {
  /** The default of `store` for requests that do not set it. */
  readonly storeByDefault: boolean;
  readonly retentionMs: number;
  /** The largest stored exchange (input and answer), as JSON text. */
  readonly exchangeBytesMax: number;
  /** The most bytes of events stored for one background response. */
  readonly eventsBytesMax: number;
  /** The largest request body together with its history. */
  readonly bodyBytesMax: number;
}

/** The dependencies of storing responses. */
export interface ResponsesDeps {
  readonly store: Store;
  readonly settings: StateSettings;
  readonly now: () => number;
  /** Makes exchanges durable, many in one commit. */
  readonly exchanges: GroupCommit<ExchangeToStore>;
  /** Limits what accounts add to conversations without a call. */
  readonly freeWrites: FreeWrites;
  /** The background responses that this isolate runs. */
  readonly jobs: Jobs;
  /** The memory of a call on a socket; absent for any other. */
  readonly memory?: TurnMemory;
  /** Reports a response that could not be stored to the operator. */
  readonly report: (error: GatewayError, requestId: string) => void;
}

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

/** A running background response. */
interface Job {
  abort(): void;
  /** Resolves once its end is stored. */
  readonly over: Promise<void>;
}

/** The background responses that this isolate runs. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();

  add(accountId: string, id: string, job: Job): void {
    const name = nameOf(accountId, id);
    this.#jobs.set(name, job);
    void job.over.finally(() => this.#jobs.delete(name));
  }

  /** Cancels a response of this isolate and waits until its call is settled. Ignores all others. */
  async abort(accountId: string, id: string): Promise<void> {
    const job = this.#jobs.get(nameOf(accountId, id));
    job?.abort();
    await job?.over;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(({ over }) => over));
  }
}

function nameOf(accountId: string, id: string): string {
  return `${accountId} ${id}`;
}

const dayMs = 86_400_000;
/** The most exchanges that one group commit stores. */
const exchangesPerRoundMax = 64;

/** Creates the dependencies that store the responses of one isolate. */
export function createState(
  store: Store,
  { limits, storeByDefault, report }: {
    readonly limits: Limits;
    readonly storeByDefault: boolean;
    readonly report: (error: GatewayError, requestId: string) => void;
  },
): ResponsesDeps {
  return {
    store,
    settings: {
      storeByDefault,
      retentionMs: limits.responseRetentionDays * dayMs,
      exchangeBytesMax: limits.storedResponseBytesMax,
      eventsBytesMax: limits.backgroundEventsBytesMax,
      bodyBytesMax: limits.bodyBytesMax,
    },
    now: Date.now,
    exchanges: new GroupCommit<ExchangeToStore>(
      (exchanges) => storeExchanges(store, exchanges),
      exchangesPerRoundMax,
    ),
    freeWrites: new FreeWrites(limits.conversationBytesPerMinute, Date.now),
    jobs: new Jobs(),
    report,
  };
}
