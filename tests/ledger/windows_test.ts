import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { auditStore } from "../../lib/audit/mod.ts";
import { GatewayError, rollingMs } from "../../lib/canonical/mod.ts";
import type { Share } from "../../lib/ledger/allowances.ts";
import { isCounted } from "../../lib/ledger/cost_estimate.ts";
import { sweepIsolate } from "../../lib/ledger/leases/sweep.ts";
import { limitRequestsOf } from "../../lib/ledger/limit_requests.ts";
import type { Store } from "../../lib/store/mod.ts";
import { type CallLimits, getSpent } from "../../lib/store/money/mod.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleGroup, sampleKey, sampleProject } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { TestIsolate } from "./isolates.ts";

/** Limits of requests and tokens in any time of a length, by a clock that the test moves. */

const startMs = Date.UTC(2026, 10, 30, 8);
const hourMs = 3_600_000;

/** Isolates over one store and one clock, with every call that was settled. */
class World {
  nowMs = startMs;
  readonly calls: { readonly atMs: number; readonly tokens: bigint }[] = [];
  readonly isolates: TestIsolate[];
  readonly caller: Caller;
  #rows = 0;

  constructor(readonly store: Store, limits: CallLimits) {
    this.isolates = ["a", "b"].map((name) => this.#isolate(name));
    this.caller = {
      key: sampleKey({ id: "key_1", accountId: "usr_1", limits }),
      group: sampleGroup(),
      account: { spending: "unlimited" },
    };
  }

  #isolate(name: string): TestIsolate {
    return new TestIsolate(this.store, name, () => this.nowMs);
  }

  /** One call that uses as many tokens as it was expected to, or others. Returns its refusal. */
  async call(at: number, expected = 1n, used = expected): Promise<GatewayError | undefined> {
    const isolate = this.isolates[at];
    const { epoch } = isolate.membership;
    let shares: readonly Share[];
    try {
      const need = { nanoUsd: 0n, leastNanoUsd: 0n, tokens: expected };
      const time = { timeZone: "UTC", nowMs: this.nowMs, moneyWaitMs: 0 };
      shares = await isolate.allowances.reserve(limitRequestsOf(this.caller, need, time));
    } catch (error) {
      assert(error instanceof GatewayError && error.code === "rate_limit_exceeded", `${error}`);
      return error;
    }
    const id = requestIdOf(this.nowMs, this.#rows++);
    await isolate.settle(shares, 0n, epoch, { id, atMs: this.nowMs, keyId: "key_1" }, used);
    this.calls.push({ atMs: this.nowMs, tokens: used });
  }

  /** Lets time pass as the maintenance of every two seconds sees it. */
  async advance(ms: number): Promise<void> {
    await this.maintain(Infinity);
    this.nowMs += ms;
    await this.maintain(this.nowMs);
  }

  async maintain(byMs: number): Promise<void> {
    for (const { allowances, leasing } of this.isolates) {
      for (const lease of allowances.leases()) if (lease.isMarkDue(byMs)) await leasing.mark(lease);
    }
  }

  /** An isolate dies; another takes its place. */
  async kill(at: number): Promise<void> {
    const { membership, name } = this.isolates[at];
    await this.isolates[at].close();
    if (membership.id !== undefined) await sweepIsolate(this.store, membership.id);
    this.isolates[at] = this.#isolate(`${name}+`);
  }

  /** The requests in the time until a moment. */
  requestsUntil(atMs: number, lengthMs: number): number {
    return this.calls.filter((call) => atMs - lengthMs < call.atMs && call.atMs <= atMs).length;
  }

  async close(): Promise<void> {
    for (const isolate of this.isolates) await isolate.close();
  }
}

function testWindows(name: string, limits: CallLimits, test: (world: World) => Promise<void>) {
  Deno.test(`windows: ${name}`, () =>
    withMemoryStore(async (store) => {
      const world = new World(store, limits);
      await test(world);
      await world.close();
    }));
}

testWindows("concurrent isolates share the requests of five hours", {
  requestsPerWindow: { "5h": 10 },
}, async (world) => {
  const refusals = await Promise.all(Array.from({ length: 40 }, (_, n) => world.call(n % 2)));
  assertEquals(world.calls.length, 10);
  const refused = refusals.find((one) => one !== undefined);
  assertEquals(refused?.limit?.name, "key requests in 5 hours");
  assertEquals(
    refused?.message,
    "Rate limited: 0 of 10 key requests in 5 hours remain. Not charged. " +
      "Try again on Nov 30 at 13:00 UTC, in 5 hours",
  );
  await world.advance(4.9 * hourMs);
  assert(await world.call(0), "a request left the window early");
  await world.advance(0.1 * hourMs);
  assertEquals(await world.call(1), undefined);
});

testWindows("tokens beyond a window count, and later calls wait for them", {
  tokensPerWindow: { "7d": 1_000, "1h": 5_000 },
}, async (world) => {
  assertEquals(await world.call(0, 900n, 2_500n), undefined);
  assertEquals(await getSpent(world.store, "tokens:key:key_1:7d"), 2_500n);
  assertEquals(await getSpent(world.store, "tokens:key:key_1:1h"), 2_500n);
  for (const at of [0, 1]) {
    assertEquals((await world.call(at))?.limit?.name, "key tokens in 7 days");
  }
  await world.advance(7.15 * 24 * hourMs);
  assertEquals(await world.call(1, 900n, 10n), undefined);
  assertEquals(await world.call(0, 900n, 10n), undefined);
});

testWindows("an isolate that dies leaves what was used", {
  requestsPerWindow: { "24h": 4 },
}, async (world) => {
  for (let n = 0; n < 3; n++) assertEquals(await world.call(0), undefined);
  await world.kill(0);
  assertEquals(await world.call(0), undefined);
  assert(await world.call(1));
  assertEquals(await getSpent(world.store, "requests:key:key_1:24h"), 4n);
});

const lengths = { "1m": 3, "1h": 20, "24h": 60 } as const;
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ isolate: fc.nat({ max: 1 }), times: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ waitMs: fc.constantFrom(5_000, 61_000, 62_000, hourMs, 20 * hourMs) }),
  },
  { weight: 1, arbitrary: fc.record({ dies: fc.nat({ max: 1 }) }) },
);

Deno.test("windows: no time of any length has more requests than its limit, whoever dies", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      (steps) =>
        withMemoryStore(async (store) => {
          const world = new World(store, { requestsPerWindow: lengths });
          for (const one of steps) {
            if ("waitMs" in one) await world.advance(one.waitMs);
            else if ("dies" in one) await world.kill(one.dies);
            else {await Promise.all(
                Array.from({ length: one.times }, () => world.call(one.isolate)),
              );}
          }
          for (const { atMs } of world.calls) {
            for (const [length, most] of Object.entries(lengths)) {
              const found = world.requestsUntil(atMs, rollingMs(length) ?? 0);
              assert(found <= most, `${found} requests in ${length}`);
            }
          }
          await world.close();
          for (const { membership } of world.isolates) {
            if (membership.id !== undefined) await sweepIsolate(store, membership.id);
          }
          assertEquals((await auditStore(store)).differences, []);
        }),
    ),
    { numRuns: 40 },
  ));

Deno.test("tokens are counted for the limit of any owner", () => {
  const limits = { tokensPerWindow: { "5h": 100 } } as const;
  const caller: Caller = {
    key: sampleKey(),
    group: sampleGroup(),
    account: { spending: "unlimited" },
  };
  assert(
    !isCounted({ ...caller, project: sampleProject(), organization: {}, tags: [{ text: "a" }] }),
  );
  const bound: Record<string, Partial<Caller>> = {
    key: { key: sampleKey({ limits }) },
    group: { group: sampleGroup({ limits }) },
    account: { account: { spending: "unlimited", limits } },
    project: { project: sampleProject({ limits }) },
    organization: { organization: { limits } },
    tag: { tags: [{ text: "team=a" }, { text: "team=b", bounds: { limits } }] },
  };
  for (const [owner, more] of Object.entries(bound)) {
    assert(isCounted({ ...caller, ...more }), owner);
  }
});
