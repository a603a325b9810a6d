import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { auditStore } from "../../lib/audit/mod.ts";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { limitRequestsOf } from "../../lib/ledger/limit_requests.ts";
import { sweepIsolate } from "../../lib/ledger/leases/sweep.ts";
import { usageTotals } from "../../lib/ledger/usage_queries.ts";
import type { InFlight } from "../../lib/store/isolates/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { budgetId } from "../../lib/store/money/budget.ts";
import {
  type Budget,
  getSpent,
  listAllowances,
  organizationId,
} from "../../lib/store/money/mod.ts";
import { subjects } from "../../lib/store/usage/mod.ts";
import { sampleGroup, sampleKey, sampleProject } from "../store/samples.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { TestIsolate } from "./isolates.ts";

/** Budgets of keys, their account, a project, the organization and a tag, over one store. */

const total = (nanoUsd: bigint): Budget[] => [{ period: "total", nanoUsd }];

/** The budgets of one store; undefined where an owner has none. */
interface Nested {
  readonly keys: readonly (bigint | undefined)[];
  readonly project?: bigint;
  readonly organization?: bigint;
  readonly tag?: bigint;
}

function callerOf(nested: Nested, key: number, isTagged = true): Caller {
  const own = nested.keys[key];
  const bounds = (limit: bigint | undefined) =>
    limit === undefined ? {} : { budgets: total(limit) };
  return {
    key: sampleKey({ id: `key_${key}`, accountId: `usr_${key}`, ...bounds(own) }),
    group: sampleGroup(),
    account: { spending: "unlimited", projectId: "research" },
    project: sampleProject(bounds(nested.project)),
    organization: bounds(nested.organization),
    ...(isTagged && { tags: [{ text: "team=a", bounds: bounds(nested.tag) }] }),
  };
}

const options = { timeZone: "UTC", moneyWaitMs: 2_000 };

function requestsOf(caller: Caller, nanoUsd: bigint, nowMs = Date.now()) {
  return limitRequestsOf(
    caller,
    { nanoUsd, leastNanoUsd: nanoUsd, tokens: 0n },
    { ...options, nowMs },
  );
}

let calls = 0;

/** The row of a call, as the gateway writes it. */
function rowOf({ key, project, tags }: Caller, atMs = Date.now()) {
  return {
    id: requestIdOf(atMs, calls++),
    atMs,
    accountId: key.accountId,
    keyId: key.id,
    groupId: "team",
    upstreamId: "up",
    ...(project && { projectId: project.id }),
    ...(tags && { tags: tags.map(({ text }) => text) }),
  };
}

/** Returns true if the call was admitted. */
async function callOnce(
  isolate: TestIsolate,
  caller: Caller,
  { bound, cost }: { readonly bound: bigint; readonly cost: bigint },
): Promise<boolean> {
  const { epoch } = isolate.membership;
  try {
    const shares = await isolate.allowances.reserve(requestsOf(caller, bound));
    await new Promise((resolve) => setTimeout(resolve, 0));
    await isolate.settle(shares, cost, epoch, rowOf(caller));
    return true;
  } catch (error) {
    assert(error instanceof GatewayError && error.code === "insufficient_quota", `${error}`);
    return false;
  }
}

const spentOf = {
  project: (store: Store) => getSpent(store, budgetId("project", "research", "total")),
  organization: (store: Store) =>
    getSpent(store, budgetId("organization", organizationId, "total")),
  tag: (store: Store) => getSpent(store, budgetId("tag", "team=a", "total")),
};

const limit = fc.option(fc.bigInt({ min: 0n, max: 5_000n }), { nil: undefined });
const nestedBudgets: fc.Arbitrary<Nested> = fc.record({
  keys: fc.array(limit, { minLength: 3, maxLength: 3 }),
  project: limit,
  organization: limit,
  tag: limit,
});
const call = fc.record({
  key: fc.nat({ max: 2 }),
  isolate: fc.nat({ max: 2 }),
  isTagged: fc.boolean(),
  bound: fc.bigInt({ min: 1n, max: 900n }),
  used: fc.nat({ max: 100 }),
});

Deno.test("no overlap of calls in three isolates overspends a budget at any level", async () => {
  await fc.assert(
    fc.asyncProperty(
      nestedBudgets,
      fc.array(call, { minLength: 1, maxLength: 40 }),
      async (nested, calls) => {
        await withMemoryStore(async (store) => {
          const isolates = ["a", "b", "c"].map((name) => new TestIsolate(store, name));
          await Promise.all(
            calls.map(({ key, isolate, isTagged, bound, used }) =>
              callOnce(isolates[isolate], callerOf(nested, key, isTagged), {
                bound,
                cost: bound * BigInt(used) / 100n,
              })
            ),
          );
          for (const isolate of isolates) await isolate.close();
          await assertWithin(store, nested);
        });
      },
    ),
    { numRuns: 40 },
  );
});

async function assertWithin(store: Store, nested: Nested): Promise<void> {
  for (const owner of ["project", "organization", "tag"] as const) {
    const most = nested[owner];
    if (most !== undefined) assert(await spentOf[owner](store) <= most, `${owner} overspent`);
  }
  for (const [at, most] of nested.keys.entries()) {
    const spent = await getSpent(store, budgetId("key", `key_${at}`, "total"));
    if (most !== undefined) assert(spent <= most, `key ${at} overspent`);
  }
  assertEquals((await auditStore(store)).differences, []);
  await assertRollups(store, nested);
}

/** The rollups of the project and the tag agree with what their budgets paid. */
async function assertRollups(store: Store, { project, tag }: Nested): Promise<void> {
  const period = { fromMs: 0, toMs: Date.now() + 86_400_000 };
  const spent = async (subject: Parameters<typeof usageTotals>[1]) =>
    (await usageTotals(store, subject, period)).counts.costNanoUsd;
  if (project !== undefined) {
    assertEquals(await spent(subjects.project("research")), await spentOf.project(store));
  }
  if (tag !== undefined) {
    assertEquals(await spent(subjects.tag("team=a")), await spentOf.tag(store));
  }
}

Deno.test("a key within its own budget is refused once the project's is spent, and the error names it", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const nested = { keys: [10_000n, 10_000n], project: 1_000n };
    assert(await callOnce(isolate, callerOf(nested, 0), { bound: 600n, cost: 600n }));
    const error = await assertRejects(
      async () => await isolate.allowances.reserve(requestsOf(callerOf(nested, 1), 600n)),
      GatewayError,
    );
    assertEquals(error.limit?.ownerId, "research");
    assert(error.message.includes("project research total budget"), error.message);
    assert(error.message.includes("/console/admin/projects/research"), error.message);
    assert(await callOnce(isolate, callerOf(nested, 1), { bound: 400n, cost: 400n }));
    await isolate.close();
  });
});

Deno.test("a budget lowered below what is spent refuses every call and takes nothing back", async () => {
  await withMemoryStore(async (store) => {
    const isolates = ["a", "b"].map((name) => new TestIsolate(store, name));
    const before = { keys: [undefined], project: 10_000n };
    for (const isolate of isolates) {
      assert(await callOnce(isolate, callerOf(before, 0), { bound: 400n, cost: 400n }));
    }
    const lowered = { keys: [undefined], project: 500n };
    for (const isolate of isolates) {
      assertEquals(await callOnce(isolate, callerOf(lowered, 0), { bound: 1n, cost: 1n }), false);
    }
    assertEquals(await spentOf.project(store), 800n);
    const raised = { keys: [undefined], project: 900n };
    assert(await callOnce(isolates[1], callerOf(raised, 0), { bound: 100n, cost: 100n }));
    for (const isolate of isolates) await isolate.close();
    assertEquals((await auditStore(store)).differences, []);
  });
});

Deno.test("spending of a moved member stays with the project of the call", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const caller = callerOf({ keys: [undefined], project: 1_000n }, 0);
    const moved = { ...caller, project: sampleProject({ id: "other", budgets: total(1_000n) }) };
    const shares = await isolate.allowances.reserve(requestsOf(caller, 700n));
    assert(await callOnce(isolate, moved, { bound: 900n, cost: 900n }));
    await isolate.settle(shares, 700n, undefined, rowOf(caller)); // moved while it was running
    assertEquals(await spentOf.project(store), 700n);
    assertEquals(await getSpent(store, budgetId("project", "other", "total")), 900n);
    await isolate.close();
    assertEquals((await auditStore(store)).differences, []);
  });
});

Deno.test("each period of a project's budget starts with nothing spent", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const caller = {
      ...callerOf({ keys: [undefined, undefined] }, 0),
      project: sampleProject({ budgets: [{ period: "day", nanoUsd: 500n }] }),
    };
    const today = Date.UTC(2026, 10, 23, 23, 59);
    const reserve = (nowMs: number) => isolate.allowances.reserve(requestsOf(caller, 500n, nowMs));
    await isolate.settle(await reserve(today), 500n, undefined, rowOf(caller, today));
    await assertRejects(async () => await reserve(today), GatewayError);
    const tomorrow = today + 120_000;
    await isolate.settle(await reserve(tomorrow), 500n, undefined, rowOf(caller, tomorrow));
    for (const day of ["2026-11-23", "2026-11-24"]) {
      assertEquals(await getSpent(store, budgetId("project", "research", day)), 500n);
    }
    await isolate.close();
  });
});

Deno.test("an isolate that dies amid calls releases what it held at every level", async () => {
  await withMemoryStore(async (store) => {
    const nested = { keys: [9_000n], project: 5_000n, organization: 7_000n, tag: 6_000n };
    const [dying, other] = ["a", "b"].map((name) => new TestIsolate(store, name));
    const caller = callerOf(nested, 0);
    const flights: InFlight[] = [];
    for (const cost of [300n, 500n]) {
      const shares = await dying.allowances.reserve(requestsOf(caller, 1_000n));
      const moneyIds = shares.map(({ lease }) => lease.allowanceId);
      const row = { ...sampleFlight, ...rowOf(caller), costNanoUsd: cost };
      flights.push({ row, moneyIds });
    }
    assert(await dying.serial.run(() => dying.membership.beat(flights)));
    await sweepIsolate(store, dying.membership.id ?? "");
    for (const owner of ["project", "organization", "tag"] as const) {
      assertEquals(await spentOf[owner](store), 800n, owner);
    }
    assert(await callOnce(other, caller, { bound: 4_200n, cost: 4_200n }), "the rest is free");
    for (const isolate of [dying, other]) await isolate.close();
    assertEquals((await auditStore(store)).differences, []);
    for (const { id, allotted, spent } of await listAllowances(store)) {
      assertEquals(allotted, spent, id);
    }
  });
});

const sampleFlight = {
  keyName: "one",
  model: "m",
  format: "messages",
  operation: "generate",
  stream: false,
  status: 200,
  outcome: "truncated",
  durationMs: 1,
} as const;
