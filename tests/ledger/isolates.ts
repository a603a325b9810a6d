import { Allowances, release, type Share } from "../../lib/ledger/allowances.ts";
import { GroupCommit } from "../../lib/ledger/group_commit.ts";
import { Leasing } from "../../lib/ledger/leases/leasing.ts";
import { Membership } from "../../lib/ledger/leases/membership.ts";
import { sweepIsolate } from "../../lib/ledger/leases/sweep.ts";
import type { LimitRequest } from "../../lib/ledger/limit_requests.ts";
import type { ChargeClaim, EndedCall } from "../../lib/ledger/charge.ts";
import { Settling } from "../../lib/ledger/settling.ts";
import { Serial } from "../../lib/serial.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { sampleRow } from "../store/samples.ts";

/** One isolate's part of the ledger; several of them over one store simulate several processes. */
export class TestIsolate {
  readonly membership: Membership;
  readonly leasing: Leasing;
  readonly serial = new Serial();
  readonly allowances: Allowances;
  readonly #commit: GroupCommit<EndedCall>;
  readonly #recalls: { stop(): Promise<void> };
  #rows = 0;

  constructor(readonly store: Store, readonly name: string, now: () => number = Date.now) {
    this.membership = new Membership(store, now);
    this.leasing = new Leasing(store, this.membership, this.serial, now);
    this.allowances = this.leasing.allowances;
    const settling = new Settling(this.leasing, () => this.#retire());
    this.#commit = new GroupCommit((batch) => settling.write(batch), 256);
    this.#recalls = this.leasing.listen();
  }

  /** One call from its reservation to its row; the shares are what it holds in between. */
  async call(
    requests: readonly LimitRequest[],
    costNanoUsd: bigint,
    during: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { epoch } = this.membership;
    const shares = await this.allowances.reserve(requests);
    await during();
    await this.settle(shares, costNanoUsd, epoch);
  }

  async settle(
    shares: readonly Share[],
    costNanoUsd: bigint,
    epoch = this.membership.epoch,
    fields: Partial<RequestLogRow> = {},
    tokens = 0n,
    claim?: ChargeClaim,
  ): Promise<void> {
    const number = this.#rows++;
    const row = sampleRow(number, { id: `req_${this.name}_${number}`, costNanoUsd, ...fields });
    try {
      await this.#commit.add({ row, shares, costNanoUsd, tokens, epoch, claim, position: -1 });
    } finally {
      release(shares);
    }
  }

  /** A row that cost nothing. */
  async settleRow(row: RequestLogRow): Promise<void> {
    const { epoch } = this.membership;
    await this.#commit.add({ row, shares: [], costNanoUsd: 0n, tokens: 0n, epoch, position: -1 });
  }

  async #retire(): Promise<void> {
    const { fenced } = this.membership;
    for (const id of [...fenced]) {
      await sweepIsolate(this.store, id);
      fenced.splice(fenced.indexOf(id), 1);
    }
  }

  /** Resolves when nothing goes on behind the calls any more. */
  async close(): Promise<void> {
    await this.#recalls.stop();
    for (let step = 0; step < 5; step++) await this.serial.run(() => Promise.resolve());
  }
}

export interface MoneyRequest {
  readonly allowanceId?: string;
  readonly limit: bigint;
  readonly amount: bigint;
  readonly enough?: bigint;
  readonly least?: bigint;
  readonly waitMs?: number;
}

/** A request on a budget, as a test states it. */
export function moneyRequest(
  {
    allowanceId = "budget:key:test:total",
    limit,
    amount,
    enough = amount,
    least = enough,
    waitMs = 20_000,
  }: MoneyRequest,
): LimitRequest {
  return {
    current: {
      allowanceId,
      kind: "money",
      owner: "key",
      ownerId: "key_1",
      limit: { type: "amount", amount: limit },
      state: { name: "key total budget", kind: "money", limit },
    },
    needed: { amount, enough, partPerCall: 4n, ample: 4n * amount, least, waitMs },
    nowMs: 0,
  };
}
