import type { Caller } from "../accounts/authorize.ts";
import { totalInputTokens, totalOutputTokens, type Usage } from "../canonical/mod.ts";
import type { Store } from "../store/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { release, type Share } from "./allowances.ts";
import { Compactor } from "./compactor.ts";
import { limitRequestsOf } from "./limit_requests.ts";
import { GroupCommit } from "./group_commit.ts";
import { chargedRow, type CostEstimate, costOfRow, type Hold, outputTokensOf } from "./hold.ts";
import { Leasing } from "./leases/leasing.ts";
import { Membership } from "./leases/membership.ts";
import { type RecentTokens, RecentUse } from "./recent_use.ts";
import { Serial } from "./serial.ts";
import { type Ended, rowsPerCommitMax, Settling, type Used } from "./settling.ts";
import { sweepDead } from "./leases/sweep.ts";
import { LeaseMaintenance } from "./leases/lease_maintenance.ts";

/** What the ledger of an isolate needs of the world. */
interface LedgerOptions {
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** How long a call waits for money that others may give back. */
  readonly moneyWaitMs: number;
  readonly now: () => number;
  /** Hears why something beside the calls failed; it is tried again. */
  readonly onError?: (error: unknown) => void;
}

interface Waiting {
  readonly ended: Ended;
  readonly stored: Promise<RequestLogRow>;
}

/**
 * Where usage becomes money, for one isolate: sets aside what a call may cost, charges what it did
 * cost, in one commit with its row, and gives back the rest.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #leasing: Leasing;
  readonly #settling: Settling;
  readonly #commit: GroupCommit<Ended>;
  /** Calls that ended and are not recorded yet, by their ids. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #recent = new RecentUse();
  readonly #compactor: Compactor;
  readonly #maintenance: LeaseMaintenance;
  readonly #recalls: { stop(): Promise<void> };

  /** Settles first what dead isolates left, so that nothing of it is missing once calls are answered. */
  static async open(store: Store, options: LedgerOptions): Promise<Ledger> {
    await sweepDead(store, options.now());
    return new Ledger(store, options);
  }

  private constructor(store: Store, options: LedgerOptions) {
    const membership = new Membership(store, options.now);
    const serial = new Serial();
    const leasing = new Leasing(store, membership, serial, options.now);
    this.#settling = new Settling({
      store,
      membership,
      serial,
      allowances: leasing.allowances,
      cover: (lease, missing) => leasing.cover(lease, missing),
      retire: () => this.#maintenance.retire(),
      now: options.now,
    });
    this.#options = options;
    this.#leasing = leasing;
    this.#commit = new GroupCommit(
      (batch) => this.#settling.write(batch),
      rowsPerCommitMax,
    );
    this.#compactor = new Compactor(store, { onError: options.onError });
    this.#maintenance = new LeaseMaintenance({ store, leasing, membership, serial, ...options });
    this.#recalls = leasing.listen();
  }

  /** The use of recent calls of this key and model, for a reservation; undefined where there were none. */
  recentTokens(caller: Caller, model: string): RecentTokens | undefined {
    return this.#recent.of(kindOf(caller, model));
  }

  /**
   * Sets aside what a call may use of every limit that binds its caller; at once in the steady
   * state. Throws `insufficient_quota` or `rate_limit_exceeded`, or `client_closed` where the caller
   * left while it waited, and then holds nothing.
   */
  reserve(estimate: CostEstimate, signal?: AbortSignal): Hold | Promise<Hold> {
    const { caller, boundNanoUsd, enoughNanoUsd, leastNanoUsd, tokens } = estimate;
    const requests = limitRequestsOf(caller, {
      nanoUsd: boundNanoUsd,
      ...(enoughNanoUsd !== undefined && { enoughNanoUsd }),
      leastNanoUsd,
      tokens: BigInt(tokens),
    }, { ...this.#options, nowMs: this.#options.now() });
    const { epoch } = this.#leasing.membership;
    const holdOf = (shares: readonly Share[]): Hold => ({
      ...estimate,
      ...outputTokensOf(estimate, shares),
      shares,
      epoch,
    });
    const shares = this.#leasing.allowances.reserve(requests, signal);
    if (!(shares instanceof Promise)) return holdOf(shares);
    return this.#leasing.store.health.unlessFaulty(shares, release).then(holdOf);
  }

  /** Gives everything back for a call that is not sent. */
  release(hold: Hold): void {
    release(hold.shares);
  }

  /**
   * Gives back a call's place among concurrent calls: its caller has left and its upstream was hung
   * up on. Call it before counting and storing the usage, which may take a second. The place goes
   * back to the store, because an isolate that counts does not hear others ask for it. Never rejects.
   */
  async vacate({ shares }: Hold): Promise<void> {
    const places = shares.filter(({ request }) => request.kind === "concurrency");
    release(places);
    await Promise.all(places.map(({ lease }) => this.#leasing.allowances.giveBackFree(lease)))
      .catch(this.#options.onError ?? (() => {})); // a sweep finds the place in the store
  }

  /** Shows the heart-beat what a call in flight has delivered so far; until it settles. */
  watch(hold: Hold, row: () => RequestLogRow | undefined): void {
    this.#maintenance.watch(hold, row);
  }

  /**
   * Makes a call's row durable, with what it is charged; resolves with the row and its cost, however
   * long the store is away. Without a hold the call cost nothing. A second row of a call that still
   * waits takes the place of the first.
   */
  settle(row: RequestLogRow, hold?: Hold): Promise<RequestLogRow> {
    const used = usedOf(row, hold);
    const waiting = this.#waiting.get(row.id);
    if (waiting) {
      if (!waiting.ended.isTried) Object.assign(waiting.ended, used);
      return waiting.stored;
    }
    if (hold && row.usage) this.#note(hold, row.usage);
    const ended = {
      ...used,
      shares: hold?.shares ?? [],
      epoch: hold?.epoch ?? this.#leasing.membership.epoch,
    };
    const stored = this.#record(ended, hold);
    this.#waiting.set(row.id, { ended, stored });
    return stored;
  }

  /** Gives everything back: what is left is for others, at once. Calls that wait have one more try. */
  async close(): Promise<void> {
    await this.#recalls.stop();
    this.#settling.stop();
    await Promise.allSettled([...this.#waiting.values()].map(({ stored }) => stored));
    await this.#maintenance.close();
    await this.#compactor.close();
  }

  async #record(ended: Ended, hold?: Hold): Promise<RequestLogRow> {
    try {
      await this.#commit.add(ended);
    } finally {
      this.#waiting.delete(ended.row.id);
      if (hold) this.#end(hold);
    }
    const isolateId = this.#leasing.membership.id;
    if (isolateId !== undefined) this.#compactor.arrived(isolateId);
    return ended.row;
  }

  #end(hold: Hold): void {
    this.#maintenance.forget(hold);
    release(hold.shares);
  }

  #note({ caller, model }: Hold, usage: Usage): void {
    const outputTokens = totalOutputTokens(usage);
    const tokens = totalInputTokens(usage) + outputTokens;
    this.#recent.note(kindOf(caller, model), { tokens, outputTokens });
  }
}

function usedOf(row: RequestLogRow, hold?: Hold): Used {
  const cost = hold && costOfRow(row, hold);
  const tokens = row.usage ? totalInputTokens(row.usage) + totalOutputTokens(row.usage) : 0;
  return {
    row: cost ? chargedRow(row, cost) : row,
    costNanoUsd: cost?.nanoUsd ?? 0n,
    tokens: BigInt(tokens),
  };
}

function kindOf({ key }: Caller, model: string): string {
  return `${key.id} ${model}`;
}
