import { assertEquals, assertRejects } from "@std/assert";
import { summaryOf } from "../../../lib/audit/mod.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import {
  listGroups,
  listModels,
  listUpstreams,
  updateUpstream,
} from "../../../lib/store/catalog/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { getBalance } from "../../../lib/store/money/mod.ts";
import { createUser, getUser, listUsers } from "../../../lib/store/users/mod.ts";
import { applyPlan } from "../../../tools/migration/apply.ts";
import { existingIn, resolvePlan } from "../../../tools/migration/resolve.ts";
import { FieldReport } from "../../../tools/migration/source_object.ts";
import { newApiTables, planNewApi } from "../../../tools/migration/new_api/plan.ts";
import type { MigrationPlan } from "../../../tools/migration/plan.ts";
import { readTables } from "../../../tools/migration/tables/tables.ts";
import { testOnStores, withMemoryStore } from "../../store/temp_store.ts";
import { makeNewApi } from "./new_api_sample.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

async function samplePlan(): Promise<MigrationPlan> {
  const folder = await Deno.makeTempDir();
  makeNewApi(`${folder}/one-api.db`);
  const tables = await readTables(`${folder}/one-api.db`, newApiTables);
  await Deno.remove(folder, { recursive: true });
  return planNewApi(tables, { report: new FieldReport(), nowMs });
}

/** Runs the import; returns the results of its records. */
async function run(store: Store, plan: MigrationPlan, progress = (_: number) => {}) {
  const resolved = resolvePlan("new-api", plan, await existingIn(store));
  await applyPlan(store, resolved, { source: "new-api", nowMs, progress });
  return resolved.lines;
}

/** Everything that the import wrote. */
async function contents(store: Store) {
  const users = await listUsers(store);
  return {
    groups: await listGroups(store),
    models: await listModels(store),
    upstreams: await listUpstreams(store),
    users,
    keys: await listApiKeys(store),
    balances: await Promise.all(users.map(({ id }) => getBalance(store, id))),
    audited: (await listAuditEntries(store, { limit: 200 })).entries.length,
  };
}

testOnStores("migration: twice is once", async (store) => {
  const plan = await samplePlan();
  const first = await run(store, plan);
  const before = await contents(store);
  const second = await run(store, plan);
  assertEquals(await contents(store), before);
  assertEquals(new Set(first.map(({ result }) => result)), new Set(["created"]));
  assertEquals(new Set(second.map(({ result }) => result)), new Set(["present"]));
  assertEquals(first.length, second.length);
  assertEquals(before.audited, first.length);
  assertEquals((await summaryOf(store)).differences, []);
});

Deno.test("migration: a run that was cut short is completed by the next", async () => {
  const plan = await samplePlan();
  const whole = await withResult(async (store) => {
    await run(store, plan);
    return await contents(store);
  });
  const steps = 2 + 3 + 2 + 2 + 2 + 1; // groups, prices, upstreams, users, grants, one batch of keys
  for (let done = 1; done < steps; done++) {
    const completed = await withResult(async (store) => {
      const stop = (share: number) => {
        if (share * steps > done - 0.5) throw new Error("stopped");
      };
      await assertRejects(() => run(store, plan, stop), Error, "stopped");
      await run(store, plan);
      return await contents(store);
    });
    assertEquals(completed, whole, `stopped after ${done} steps`);
  }
});

async function withResult<Result>(make: (store: Store) => Promise<Result>): Promise<Result> {
  let result: Result | undefined;
  await withMemoryStore(async (store) => void (result = await make(store)));
  return result as Result; // sound: `make` has run
}

Deno.test("migration: an account with the same address is never joined", async () => {
  await withMemoryStore(async (store) => {
    const own = { id: "usr_own", email: "root@example.com", role: "administrator" } as const;
    await createUser(store, { ...own, createdAtMs: 1, enabled: true, spending: "unlimited" });
    const plan = await samplePlan();
    const lines = await run(store, plan);
    const [root] = plan.users;
    assertEquals((await getUser(store, root.id))?.email, "root@new-api.invalid");
    assertEquals(
      lines.find(({ id }) => id === root.id)?.detail,
      "signs in as root@new-api.invalid: another account has its address",
    );
    assertEquals((await listApiKeys(store, { accountId: "usr_own" })).length, 0);
  });
});

Deno.test("migration: changes in the console stay", async () => {
  await withMemoryStore(async (store) => {
    const plan = await samplePlan();
    await run(store, plan);
    await updateUpstream(store, "new-api-openai-1", (one) => ({ ...one, priority: 77 }));
    await run(store, plan);
    const [, openai] = await listUpstreams(store);
    assertEquals([openai.id, openai.priority], ["new-api-openai-1", 77]);
  });
});

Deno.test("migration: audit entries name the source, and no secret", async () => {
  await withMemoryStore(async (store) => {
    await run(store, await samplePlan());
    const { entries } = await listAuditEntries(store, { limit: 200 });
    assertEquals(
      new Set(entries.map(({ actorName, reason }) => `${actorName}: ${reason}`)),
      new Set([
        "deno task import new-api: Import from new-api",
      ]),
    );
    const kinds = Object.fromEntries(
      [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
    );
    assertEquals(kinds, { group: 2, model: 3, upstream: 2, user: 2, funds: 2, key: 3 });
  });
});
