import { assert, assertEquals } from "@std/assert";
import { verifyLog } from "../../../lib/store/settling/mod.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listGroups, listUpstreams } from "../../../lib/store/catalog/mod.ts";
import { failureOf, requestOutcomes } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { getSpent } from "../../../lib/store/money/mod.ts";
import { readCounts, subjects } from "../../../lib/store/usage/mod.ts";
import { listUsers } from "../../../lib/store/users/mod.ts";
import { nowMs } from "../people.ts";
import { teamCalls } from "./calls.ts";
import { addTeam } from "./mod.ts";
import { teamModels } from "./models.ts";
import { outcomes } from "./outcomes.ts";
import { allowanceOf, spendingOf } from "./spending.ts";

Deno.test("the team: 51 accounts, 116 keys, 2,000 calls, 7 upstreams, 38 models", async () => {
  using store = await openMemory();
  const { kv } = store;
  await addTeam(kv);
  assertEquals((await listUsers(kv)).length, 51);
  assertEquals((await listApiKeys(kv)).length, 116);
  assertEquals((await listUpstreams(kv)).length, 7);
  assertEquals((await listGroups(kv)).length, 1);
  assertEquals(teamModels.length, 38);
  assertEquals(teamCalls.length, 2_000);
  const counts = await readCounts(kv, subjects.all(), { step: "day", fromMs: 0, toMs: nowMs });
  assertEquals(counts.reduce((sum, { sum: { requests } }) => sum + requests, 0), 2_000);
  assertEquals(await verifyLog(kv, nowMs), []);
});

Deno.test("the team has calls of every outcome", () => {
  const found = new Set(teamCalls.map(({ outcome }) => outcome));
  assertEquals(requestOutcomes.filter((one) => !found.has(one)), []);
  const codes = new Set(teamCalls.map(({ errorCode }) => errorCode));
  assert(codes.size > Object.keys(outcomes).length / 2, `${[...codes]}`);
  const failed = teamCalls.filter(({ outcome }) => failureOf[outcome]).length;
  assert(failed > 60 && failed < 200, `${failed} of 2,000 failed`);
});

Deno.test("the team's budgets are as far spent as their counters say", async () => {
  using store = await openMemory();
  await addTeam(store.kv);
  for (const owner of ["key", "account", "project", "tag", "organization"] as const) {
    const near = spendingOf(owner).filter(({ limitNanoUsd }) => limitNanoUsd !== undefined);
    assert(near.length > 0, owner);
    for (const one of near) assertEquals(await getSpent(store.kv, allowanceOf(one)), one.nanoUsd);
  }
});

async function openMemory() {
  const kv = await openStore({ location: { type: "memory" } });
  return { kv, [Symbol.dispose]: () => kv.close() };
}
