import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { auditStore } from "../../lib/audit/mod.ts";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { GatewayError, rollingMs } from "../../lib/canonical/mod.ts";
import type { Share } from "../../lib/ledger/allowances.ts";
import { sweepIsolate } from "../../lib/ledger/leases/sweep.ts";
import { limitRequestsOf } from "../../lib/ledger/limit_requests.ts";
import { remainingMoney } from "../../lib/ledger/remaining_money.ts";
import type { Store } from "../../lib/store/mod.ts";
import { type Budget, type BudgetPeriod, markEveryMs } from "../../lib/store/money/mod.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleGroup, sampleKey, sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { TestIsolate } from "./isolates.ts";

/** Rolling budgets of a key and an account, by a clock that the test moves. */

const startMs = Date.UTC(2026, 10, 30, 8);
const hourMs = 3_600_000;

interface Budgets {
  readonly key: readonly Budget[];
  readonly account: readonly Budget[];
}

function callerOf({ key, account }: Budgets): Caller {
  return {
    key: sampleKey({ id: "key_1", accountId: "usr_1", budgets: key }),
    group: sampleGroup(),
    account: { spending: "unlimited", budgets: account },
  };
}

interface Charge {
  readonly atMs: number;
  readonly nanoUsd: bigint;
}

/** Isolates over one store and one clock, with every charge that was settled. */
class World {
  nowMs = startMs;
  readonly charges: Charge[] = [];
  readonly isolates: TestIsolate[];
  readonly caller: Caller;
  /** Calls between reservation and settlement. */
  readonly running: {
    isolate: TestIsolate;
    shares: readonly Share[];
    epoch: number;
    cost: bigint;
  }[] = [];
  #rows = 0;

  constructor(readonly store: Store, budgets: Budgets) {
    this.isolates = ["a", "b", "c"].map((name) => this.#isolate(name));
    this.caller = callerOf(budgets);
  }

  #isolate(name: string): TestIsolate {
    return new TestIsolate(this.store, name, () => this.nowMs);
  }

  requests(nanoUsd: bigint, moneyWaitMs = 0) {
    const need = { nanoUsd, leastNanoUsd: nanoUsd, tokens: 0n };
    return limitRequestsOf(this.caller, need, {
      timeZone: "UTC",
      nowMs: this.nowMs,
      moneyWaitMs,
    });
  }

  /** Returns true if the call was admitted; it runs until `settleAll`. */
  async begin(at: number, bound: bigint, cost: bigint, moneyWaitMs = 0): Promise<boolean> {
    const isolate = this.isolates[at];
    const { epoch } = isolate.membership;
    try {
      const shares = await isolate.allowances.reserve(this.requests(bound, moneyWaitMs));
      this.running.push({ isolate, shares, epoch, cost });
      return true;
    } catch (error) {
      assert(error instanceof GatewayError && error.code === "insufficient_quota", `${error}`);
      return false;
    }
  }

  /** A whole call, which waits for what others give back. */
  async call(at: number, cost: bigint): Promise<boolean> {
    const isAdmitted = await this.begin(at, cost, cost, 10_000);
    await this.settleAll();
    return isAdmitted;
  }

  async settleAll(): Promise<void> {
    const ended = this.running.splice(0);
    await Promise.all(ended.map(async ({ isolate, shares, epoch, cost }) => {
      const id = requestIdOf(this.nowMs, this.#rows++);
      await isolate.settle(shares, cost, epoch, { id, atMs: this.nowMs, keyId: "key_1" });
      this.charges.push({ atMs: this.nowMs, nanoUsd: cost });
    }));
  }

  /** The maintenance of every two seconds, as far as time has made it due. */
  async maintain(): Promise<void> {
    for (const { allowances, leasing } of this.isolates) {
      for (const lease of allowances.leases()) {
        if (lease.isMarkDue(this.nowMs)) await leasing.mark(lease);
      }
    }
  }

  async giveBack(): Promise<void> {
    for (const { allowances, leasing } of this.isolates) {
      for (const lease of allowances.leases()) await leasing.giveBackFree(lease);
    }
  }

  /** An isolate dies without its calls; another takes its place. */
  async kill(at: number): Promise<void> {
    const dying = this.isolates[at];
    for (const call of this.running.filter(({ isolate }) => isolate === dying)) {
      this.running.splice(this.running.indexOf(call), 1);
    }
    await dying.close();
    if (dying.membership.id !== undefined) await sweepIsolate(this.store, dying.membership.id);
    this.isolates[at] = this.#isolate(`${dying.name}+`);
  }

  /** The sum of the charges after `fromMs` until `toMs`. */
  spent(fromMs: number, toMs: number): bigint {
    return this.charges.filter(({ atMs }) => fromMs < atMs && atMs <= toMs)
      .reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n);
  }

  async close(): Promise<void> {
    for (const isolate of this.isolates) await isolate.close();
  }
}

/** Small amounts, so that budgets are used up to the last nano-dollar, and longer windows later. */
const mosts = { "1m": 8n, "2m": 14n, "1h": 80n, "7d": 400n, day: 300n } as const;
const rolling = fc.uniqueArray(
  fc.constantFrom(...Object.keys(mosts) as (keyof typeof mosts)[]).chain((period) =>
    fc.record({
      period: fc.constant<BudgetPeriod>(period),
      nanoUsd: fc.bigInt({ min: mosts[period] / 4n, max: mosts[period] }),
    })
  ),
  { minLength: 1, maxLength: 3, selector: ({ period }) => period },
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("call" as const),
      isolate: fc.nat({ max: 2 }),
      bound: fc.bigInt({ min: 1n, max: 5n }),
      used: fc.constantFrom(100, 100, 100, 50, 0),
      times: fc.integer({ min: 1, max: 6 }),
      settles: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("settle" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("wait" as const),
      ms: fc.oneof(
        fc.nat({ max: 10_000 }),
        fc.integer({ min: 50_000, max: 62_000 }),
        fc.integer({ min: 50_000, max: 62_000 }),
        fc.integer({ min: 50_000, max: 62_000 }),
        fc.nat({ max: 70 * 60_000 }),
        fc.nat({ max: 60 * hourMs }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("giveBack" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("kill" as const), isolate: fc.nat({ max: 2 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(world: World, one: Step): Promise<void> {
  switch (one.type) {
    case "call": {
      const cost = one.bound * BigInt(one.used) / 100n;
      const calls = Array.from(
        { length: one.times },
        () => world.begin(one.isolate, one.bound, cost),
      );
      await Promise.all(calls);
      return one.settles ? await world.settleAll() : undefined;
    }
    case "settle":
      return await world.settleAll();
    case "wait":
      for (const ms of [Math.min(one.ms, 2_000), Math.max(one.ms - 2_000, 0)]) {
        world.nowMs += ms;
        await world.maintain();
      }
      return;
    case "giveBack":
      return await world.giveBack();
    case "kill":
      return await world.kill(one.isolate);
  }
}

function assertNeverOverspent({ charges, spent, caller }: World, of: World): void {
  const budgets = [...caller.key.budgets ?? [], ...caller.account.budgets ?? []];
  for (const { period, nanoUsd } of budgets) {
    const windowMs = rollingMs(period);
    if (windowMs === undefined) continue;
    for (const { atMs } of charges) {
      const within = spent.call(of, atMs - windowMs, atMs);
      assert(within <= nanoUsd, `${within} of ${nanoUsd} spent in ${period}`);
    }
  }
}

Deno.test("no window of any length is ever overspent, whatever clock, isolates and kills do", async () => {
  await fc.assert(
    fc.asyncProperty(
      rolling,
      rolling,
      fc.array(step, { minLength: 1, maxLength: 60 }),
      async (key, account, steps) => {
        await withMemoryStore(async (store) => {
          const world = new World(store, { key, account });
          for (const one of steps) await take(world, one);
          await world.settleAll();
          await world.giveBack();
          assertNeverOverspent(world, world);
          assertEquals((await auditStore(store)).differences, []);
          await world.close();
        });
      },
    ),
    { numRuns: 150, endOnFailure: true },
  );
});

Deno.test("spending that left a window is free again, late by at most a fiftieth of it, and no other", async () => {
  const budget = { period: "5h", nanoUsd: 1_000n } as const;
  const windowMs = 5 * hourMs;
  const spending = fc.record({
    ms: fc.nat({ max: 3 * hourMs }),
    isolate: fc.nat({ max: 2 }),
    cost: fc.bigInt({ min: 1n, max: 300n }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(spending, { minLength: 3, maxLength: 25 }), async (all) => {
      await withMemoryStore(async (store) => {
        const world = new World(store, { key: [budget], account: [] });
        for (const { ms, isolate, cost } of all) {
          await advance(world, ms);
          const admitted = await world.begin(isolate, cost, cost);
          const inWindow = world.spent(world.nowMs - windowMs, world.nowMs);
          assert(!admitted || inWindow + cost <= budget.nanoUsd, "early");
          const lateMs = markEveryMs(windowMs) + 2_000;
          const atMost = world.spent(world.nowMs - windowMs - lateMs, world.nowMs);
          assert(admitted || atMost + cost > budget.nanoUsd, "late");
          await world.settleAll();
          await world.giveBack();
        }
        await world.close();
      });
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

/** Moves the clock in steps between which the maintenance runs. */
async function advance(world: World, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 60_000) {
    world.nowMs += Math.min(left, 60_000);
    await world.maintain();
  }
}

Deno.test("a refusal names the rolling budget and the time at which it has room for the call", async () => {
  await withMemoryStore(async (store) => {
    const world = new World(store, { key: [{ period: "5h", nanoUsd: 1_000n }], account: [] });
    for (const cost of [600n, 400n]) {
      assert(await world.begin(0, cost, cost));
      await world.settleAll();
      await advance(world, hourMs);
    }
    const error = await assertRejects(
      async () => await world.isolates[1].allowances.reserve(world.requests(500n)),
      GatewayError,
    );
    assertEquals(error.limit?.name, "key rolling 5-hour budget");
    const freesAtMs = error.limit?.resetsAtMs ?? 0;
    assert(
      freesAtMs - startMs >= 5 * hourMs && freesAtMs - startMs <= 5.11 * hourMs,
      `${freesAtMs}`,
    );
    assert(error.message.includes("it has room for it on Nov 30 at 13:0"), error.message);
    assertEquals(error.retryAfterSeconds, Math.ceil((freesAtMs - world.nowMs) / 1_000));
    const [remaining] = await remainingMoney(store, world.caller, {
      nowMs: world.nowMs,
      timeZone: "UTC",
    });
    assertEquals(remaining.remainingNanoUsd, 0n);
    assertEquals(remaining.period, "5h");
    world.nowMs = freesAtMs - 15 * 60_000;
    assert(!await world.begin(1, 500n, 500n), "too early");
    world.nowMs = freesAtMs;
    assert(await world.begin(1, 500n, 500n), "the stated time has room");
    await world.settleAll();
    await world.close();
  });
});

Deno.test("a lease held for hours spends no more than the window allows, and its spending leaves in time", async () => {
  await withMemoryStore(async (store) => {
    const world = new World(store, { key: [{ period: "1h", nanoUsd: 100_000n }], account: [] });
    assert(await world.begin(0, 10n, 10n)); // leases a slice for many such calls
    for (let minute = 0; minute < 90; minute++) {
      await world.settleAll();
      await advance(world, 60_000);
      assert(await world.begin(0, 10n, 10n));
    }
    await world.settleAll();
    const inHour = world.spent(world.nowMs - hourMs, world.nowMs);
    const [{ remainingNanoUsd }] = await remainingMoney(store, world.caller, {
      nowMs: world.nowMs,
      timeZone: "UTC",
    });
    const used = 100_000n - remainingNanoUsd;
    assert(used >= inHour && used <= inHour + 30n, `${used} counted, ${inHour} spent in the hour`);
    await world.close();
  });
});

Deno.test("500 parallel calls in three isolates on nested windows and calendar budgets: exactly the affordable ones", async () => {
  await withMemoryStore(async (store) => {
    const world = new World(store, {
      key: [{ period: "5h", nanoUsd: 1_000n }, { period: "day", nanoUsd: 2_000n }],
      account: [{ period: "20m", nanoUsd: 300n }, { period: "7d", nanoUsd: 1_500n }],
    });
    const all = async () => {
      const calls = Array.from({ length: 500 }, (_, at) => world.call(at % 3, 10n));
      const admitted = (await Promise.all(calls)).filter((one) => one).length;
      await world.giveBack();
      return admitted;
    };
    assertEquals(await all(), 30, "the 20 minutes");
    for (const expected of [30, 30, 10]) { // the last: 5 hours
      await advance(world, 21 * 60_000);
      assertEquals(await all(), expected);
    }
    await advance(world, 4 * hourMs + 4 * 60_000); // the first 30 calls leave the 5 hours
    assertEquals(await all(), 30);
    await advance(world, 21 * 60_000);
    assertEquals(await all(), 20, "what is left of the 7 days");
    assertNeverOverspent(world, world);
    assertEquals((await auditStore(store)).differences, []);
    await world.close();
  });
});

Deno.test("the calls of an isolate that dies are charged to the window, and leave it in time", async () => {
  await withMemoryStore(async (store) => {
    const world = new World(store, { key: [{ period: "5h", nanoUsd: 1_000n }], account: [] });
    const [dying] = world.isolates;
    const shares = await dying.allowances.reserve(world.requests(600n));
    const row = sampleRow(1, {
      id: requestIdOf(world.nowMs, 9_999),
      atMs: world.nowMs,
      costNanoUsd: 450n,
    });
    const moneyIds = shares.map(({ lease }) => lease.allowanceId);
    assert(await dying.serial.run(() => dying.membership.beat([{ row, moneyIds }])));
    await world.kill(0);
    assert(!await world.begin(1, 551n, 551n), "450 are charged");
    assert(await world.begin(1, 550n, 550n), "the rest came back");
    await world.settleAll();
    await world.giveBack();
    await advance(world, 4.9 * hourMs);
    assert(!await world.begin(1, 1n, 1n));
    await advance(world, 0.3 * hourMs);
    assert(await world.begin(1, 1_000n, 1_000n), "all has left");
    await world.settleAll();
    await world.giveBack();
    assertEquals((await auditStore(store)).differences, []);
    await world.close();
  });
});

Deno.test("a budget that an isolate has used up before it died has room again after its length", async () => {
  await withMemoryStore(async (store) => {
    const world = new World(store, { key: [{ period: "5h", nanoUsd: 1_000n }], account: [] });
    assert(await world.begin(0, 1_000n, 1_000n));
    await world.settleAll();
    await world.kill(0); // no mark says when it was spent
    assert(!await world.begin(1, 1n, 1n));
    world.nowMs += 5.2 * hourMs;
    assert(await world.begin(1, 1_000n, 1_000n));
    await world.settleAll();
    await world.close();
  });
});
