import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { listIsolates } from "../../../lib/store/isolates/mod.ts";
import { getRequestLog } from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { budgetId } from "../../../lib/store/money/budget.ts";
import {
  type Budget,
  getSpent,
  listAllowances,
  organizationId,
} from "../../../lib/store/money/mod.ts";
import {
  createProject,
  updateOrganization,
  updateTagBudget,
} from "../../../lib/store/projects/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator } from "../../console/people.ts";
import { sampleProject } from "../../store/samples.ts";
import { testKey } from "../gateway.ts";
import { sizeInTurn } from "../load/sized_body.ts";
import { startServer } from "../server_process.ts";
import {
  callNanoUsd,
  callPaid,
  type PaidCall,
  paidConfig,
  startPaidUpstream,
} from "./paid_upstream.ts";

/**
 * `kill -9` at random moments under load, restarting each time on the same store: nothing that a
 * caller has read to its end is lost, nothing is there twice, no lease leaks, the budgets of key,
 * project, organization and tag have paid the same, and the audit is clean every time. TESSERA_KILLS
 * says how often.
 */

const kills = Number(Deno.env.get("TESSERA_KILLS") ?? 6);
const callers = 12;
const aliveMsMax = 1_500;
/** Every third time long enough for a heart-beat to see calls in flight, of which every fourth is a long one. */
const longAliveMs = 2_200;

Deno.test(`killed ${kills} times under load, every answer that was read is charged once`, async () => {
  const folder = await Deno.makeTempDir();
  await withStore(folder, joinProject);
  await using upstream = startPaidUpstream(({ stream }) =>
    stream && Math.random() < 0.25 ? 8_000 : 40
  );
  let answers = 0;
  let begun = 0;
  let interrupted = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const config = {
      ...paidConfig(upstream),
      keys: [{ name: "test", value: testKey, budget: { usd: 1_000, period: "total" } }],
    };
    const isolates = kill % 5 === 0 ? 2 : undefined;
    const server = await startServer(folder, { config, isolates });
    const stop = new AbortController();
    const read: string[] = [];
    const load = Array.from({ length: callers }, async (_, caller) => {
      while (!stop.signal.aborted) {
        begun++;
        const call = await callUntilKilled(server.base, caller, stop.signal);
        if (call?.status === 200) read.push(call.id);
      }
    });
    const aliveMs = (kill % 3 === 0 ? longAliveMs : 0) + Math.random() * aliveMsMax;
    await new Promise((resolve) => setTimeout(resolve, aliveMs));
    await server.kill();
    stop.abort();
    await Promise.all(load);
    answers += read.length;
    const counts = { begun, answers };
    interrupted = await withStore(folder, (store) => assertNothingLost(store, read, counts));
  }
  console.log(
    `${kills} kills: ${answers} answers read, ${begun} calls begun, ${interrupted} interrupted calls settled`,
  );
  assert(answers > 0 && (kills < 6 || interrupted > 0));
  await Deno.remove(folder, { recursive: true });
});

async function callUntilKilled(
  base: string,
  caller: number,
  signal: AbortSignal,
): Promise<PaidCall | undefined> {
  const { bytes } = sizeInTurn(caller);
  try {
    return await callPaid(base, testKey, { stream: caller % 2 === 0, bytes, tag, signal });
  } catch {
    return undefined; // the gateway was killed meanwhile
  }
}

/** Says how many interrupted calls were settled so far. */
async function assertNothingLost(
  store: Store,
  read: readonly string[],
  { begun, answers }: { readonly begun: number; readonly answers: number },
): Promise<number> {
  const audit = await auditStore(store);
  assertEquals(audit.differences, []);
  const rows = await Promise.all(read.map((id) => getRequestLog(store, id)));
  for (const [at, id] of read.entries()) {
    const row = rows[at];
    assert(row, `${id} was read to its end and is not in the log`);
    assertEquals([row.outcome, row.costNanoUsd], ["completed", callNanoUsd]);
  }
  assert(audit.calls >= answers && audit.calls <= begun, `${audit.calls} calls of ${begun}`);
  assertEquals(await listIsolates(store), []);
  for (const level of levels) assertEquals(String(await getSpent(store, level)), audit.costNanoUsd);
  for (const { id, allotted, spent } of await listAllowances(store)) {
    assertEquals([id, allotted], [id, spent]);
  }
  return await interruptedCalls(store);
}

const tag = "team=a";
const levels = [
  budgetId("project", "research", "total"),
  budgetId("organization", organizationId, "total"),
  budgetId("tag", tag, "total"),
];

/** Puts the account of the key into a project; project, organization and tag have budgets. */
async function joinProject(store: Store): Promise<void> {
  const budgets: Budget[] = [{ period: "total", nanoUsd: 1_000n * 10n ** 9n }];
  await createProject(store, sampleProject({ budgets }));
  await updateOrganization(store, () => ({ budgets }));
  await updateTagBudget(store, tag, () => ({ budgets }));
  await createUser(store, { ...administrator, projectId: "research" });
}

async function interruptedCalls(store: Store): Promise<number> {
  let count = 0;
  for await (const { errorCode } of allRows(store)) if (errorCode === "interrupted") count++;
  return count;
}

async function withStore<Result>(folder: string, run: (store: Store) => Promise<Result>) {
  const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
  try {
    return await run(store);
  } finally {
    store.close();
  }
}
