import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { mayUseModel } from "../../lib/accounts/model_rules.ts";
import { GatewayError } from "../../lib/canonical/mod.ts";
import type { Share } from "../../lib/ledger/allowances.ts";
import { limitRequestsOf } from "../../lib/ledger/limit_requests.ts";
import { type Bound, effectiveBounds } from "../../lib/ledger/mod.ts";
import { assertMayUse } from "../../lib/gateway/stages.ts";
import { matchesPattern, type Store } from "../../lib/store/mod.ts";
import { type Bounds, postEntry } from "../../lib/store/money/mod.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleGroup, sampleKey, sampleProject } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { TestIsolate } from "./isolates.ts";

/** The list of what bounds a caller, and the refusals of the calls that it bounds. */

const nowMs = Date.UTC(2026, 10, 30, 8);
const cost = 100n;
const tokens = 10n;
const accountId = "usr_1";

const count = fc.integer({ min: 1, max: 4 });
const amount = fc.bigInt({ min: 50n, max: 450n });
const budget = fc.record({
  period: fc.constantFrom("day", "week", "month", "total", "session", "5h", "7d"),
  nanoUsd: amount,
});
const bounds = fc.record({
  budgets: fc.uniqueArray(budget, { maxLength: 2, selector: ({ period }) => period }),
  limits: fc.record({
    requestsPerMinute: count,
    tokensPerMinute: fc.integer({ min: 1, max: 45 }),
    requestsPerWindow: fc.record({ "5h": count }),
    tokensPerWindow: fc.record({ "7d": fc.integer({ min: 1, max: 45 }) }),
    concurrency: fc.constant(1),
  }, { requiredKeys: [] }),
}, { requiredKeys: [] }) as fc.Arbitrary<Bounds>;

const owners = fc.record({
  key: bounds,
  group: bounds,
  project: fc.option(bounds, { nil: undefined }),
  organization: fc.option(bounds, { nil: undefined }),
  tag: fc.option(bounds, { nil: undefined }),
  account: bounds,
  funds: fc.option(amount, { nil: undefined }),
});

function callerOf(own: typeof owners extends fc.Arbitrary<infer Owners> ? Owners : never): Caller {
  const { funds, tag, project, organization } = own;
  return {
    key: sampleKey({ id: "key_1", accountId, ...own.key }),
    group: sampleGroup({ id: "team", ...own.group }),
    account: { spending: funds === undefined ? "unlimited" : "prepaid", ...own.account },
    ...(project && { project: sampleProject(project) }),
    ...(organization && { organization }),
    ...(tag && { tags: [{ text: "team=a", bounds: tag }] }),
    session: { id: "run-1" },
  };
}

/** Calls of one caller over an isolate, each as large as it was expected to be. */
class World {
  readonly isolate: TestIsolate;
  spentNanoUsd = 0n;
  #rows = 0;

  constructor(readonly store: Store, readonly caller: Caller) {
    this.isolate = new TestIsolate(store, "a", () => nowMs);
  }

  list() {
    return effectiveBounds(this.store, { ...this.caller, accountId }, { nowMs, timeZone: "UTC" });
  }

  async reserve(): Promise<readonly Share[] | GatewayError> {
    try {
      const need = { nanoUsd: cost, leastNanoUsd: cost, tokens };
      const time = { timeZone: "UTC", nowMs, moneyWaitMs: 0 };
      return await this.isolate.allowances.reserve(limitRequestsOf(this.caller, need, time));
    } catch (error) {
      assert(error instanceof GatewayError, `${error}`);
      return error;
    }
  }

  /** Settles a call, or returns its refusal. */
  async call(): Promise<GatewayError | undefined> {
    const { epoch } = this.isolate.membership;
    const shares = await this.reserve();
    if (shares instanceof GatewayError) return shares;
    const id = requestIdOf(nowMs, this.#rows++);
    await this.isolate.settle(shares, cost, epoch, { id, atMs: nowMs, keyId: "key_1" }, tokens);
    this.spentNanoUsd += cost;
  }

  /** Returns true if the list says that a bound has no room for the next call. */
  isUsedUp({ kind, period, limit = 0n, left }: Bound): boolean {
    if (period === "session") return this.spentNanoUsd + cost > limit;
    if (left === undefined) return false; // concurrent requests: none runs
    return left < (kind === "money" ? cost : 1n); // any remainder of a rate admits a call
  }
}

async function inWorld(
  own: Parameters<typeof callerOf>[0],
  run: (world: World) => Promise<unknown>,
): Promise<void> {
  await withMemoryStore(async (store) => {
    const world = new World(store, callerOf(own));
    if (own.funds !== undefined) await fund(store, own.funds);
    try {
      await run(world);
    } finally {
      await world.isolate.close();
    }
  });
}

async function fund(store: Store, changeNanoUsd: bigint): Promise<void> {
  const type = "grant" as const;
  const words = { reason: "test", actor: "owner", idempotencyKey: "grant:1" };
  await postEntry(store, { accountId, type, changeNanoUsd, atMs: nowMs, ...words });
}

/** The owner and the name of a bound; a session's budget is that of the owner with the smallest. */
function named({ owner, id, name, period }: Bound): string {
  return period === "session" ? "session run-1 session budget" : `${owner} ${id} ${name}`;
}

Deno.test("the list of bounds has room exactly as long as calls are admitted, and names the refuser", async () => {
  await fc.assert(
    fc.asyncProperty(owners, async (own) => void await inWorld(own, untilRefused)),
    { numRuns: Deno.env.has("EVERY_ROW") ? 2_000 : 60 },
  );
});

/** Calls until one is refused, and compares the list with each. Returns the owner that refused. */
async function untilRefused(world: World): Promise<string | undefined> {
  for (let n = 0; n < 6; n++) {
    const usedUp = (await world.list()).limits.filter((one) => world.isUsedUp(one)).map(named);
    const refusal = await world.call();
    if (!refusal) {
      assertEquals(usedUp, []);
      continue;
    }
    const { owner, id } = refusal.refuser ?? {};
    const refused = `${owner} ${id} ${refusal.limit?.name}`;
    assert(usedUp.includes(refused), `${refused}: ${usedUp}`);
    return owner;
  }
}

const nothing = {
  key: {},
  group: {},
  account: {},
  project: undefined,
  organization: undefined,
  tag: undefined,
  funds: undefined,
};
const levels = ["key", "group", "project", "organization", "tag", "account"] as const;
const kinds: Readonly<Record<string, Bounds>> = {
  "daily budget": { budgets: [{ period: "day", nanoUsd: 250n }] },
  "rolling budget": { budgets: [{ period: "5h", nanoUsd: 250n }] },
  "requests per minute": { limits: { requestsPerMinute: 2 } },
  "tokens per minute": { limits: { tokensPerMinute: 15 } },
  "requests in 5 hours": { limits: { requestsPerWindow: { "5h": 2 } } },
  "tokens in 7 days": { limits: { tokensPerWindow: { "7d": 15 } } },
};

for (const owner of levels) {
  for (const [kind, bounds] of Object.entries(kinds)) {
    Deno.test(`the ${kind} of the ${owner} is used up in the list when it refuses a call`, async () => {
      await inWorld({ ...nothing, [owner]: bounds }, async (world) => {
        assertEquals(await untilRefused(world), owner);
      });
    });
  }
}

Deno.test("a wallet and a session's budget are used up in the list when they refuse a call", async () => {
  await inWorld({ ...nothing, funds: 250n }, async (world) => {
    assertEquals(await untilRefused(world), "wallet");
  });
  const group: Bounds = { budgets: [{ period: "session", nanoUsd: 250n }] };
  await inWorld({ ...nothing, group }, async (world) => {
    assertEquals(await untilRefused(world), "session");
  });
});

for (const owner of levels) {
  Deno.test(`the list has the concurrency of the ${owner} that refuses a second call`, async () => {
    await inWorld({ ...nothing, [owner]: { limits: { concurrency: 1 } } }, async (world) => {
      assert(!(await world.reserve() instanceof GatewayError));
      const refusal = await world.reserve();
      assert(refusal instanceof GatewayError);
      const { limits } = await world.list();
      assertEquals(limits.map(named), [
        `${refusal.refuser?.owner} ${refusal.refuser?.id} ${refusal.limit?.name}`,
      ]);
      assertEquals([limits[0].owner, limits[0].used], [owner, undefined]);
    });
  });
}

Deno.test("the list's rules about models are those that admit calls, and name the refuser", async () => {
  const models = fc.uniqueArray(fc.constantFrom("*", "gpt-*", "gpt-5", "claude-*"), {
    minLength: 1,
  });
  const rule = fc.option(models, { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ group: models, key: rule, project: rule }),
      fc.constantFrom("gpt-5", "gpt-4", "claude-3", "other"),
      async ({ group, key, project }, model) => {
        const caller: Caller = {
          key: sampleKey({ ...(key && { models: key }) }),
          group: sampleGroup({ models: group }),
          account: { spending: "unlimited" },
          project: sampleProject({ ...(project && { models: project }) }),
        };
        await withMemoryStore(async (store) => {
          const list = await effectiveBounds(store, caller, { nowMs, timeZone: "UTC" });
          const forbids = list.models.filter(({ models }) =>
            !models.some((pattern) => matchesPattern(pattern, model))
          );
          assertEquals(mayUseModel(caller, model), forbids.length === 0);
          assertEquals(refuserOf(caller, model), forbids[0] && [forbids[0].owner, forbids[0].id]);
        });
      },
    ),
    { numRuns: 60 },
  );
});

function refuserOf(caller: Caller, model: string) {
  try {
    assertMayUse(caller, model);
  } catch (error) {
    assert(error instanceof GatewayError && error.code === "model_not_allowed");
    return [error.refuser?.owner, error.refuser?.id];
  }
}
