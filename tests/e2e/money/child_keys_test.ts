import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import type { StoreLocation } from "../../../lib/store/kv/open.ts";
import { getRequestLog } from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { budgetId, childBudgetId } from "../../../lib/store/money/budget.ts";
import { getSpent, listAllowances } from "../../../lib/store/money/mod.ts";
import { signChild } from "../../accounts/child_token.ts";
import { testKey } from "../gateway.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { joinProject, levels, tag } from "./nested.ts";
import {
  callNanoUsd,
  callPaid,
  type PaidCall,
  paidConfig,
  startPaidUpstream,
} from "./paid_upstream.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";

/**
 * 500 sub-agents at once with the child keys of one key, while `kill -9` hits the gateway: no child
 * spends more than its budget, the key and everyone around it no more than theirs, and every answer
 * that was read is charged once. TESSERA_KILLS says how often.
 */

const kills = Number(Deno.env.get("TESSERA_KILLS") ?? 3);
const [agents, children] = [500, 50];
/** All children together could pay for 250 calls, the key for 200, and everyone around it for 180. */
const [childCalls, keyCalls, outerCalls] = [5n, 200n, 180n];
const endsAtS = Math.floor(Date.now() / 1_000) + 3_600;
const usd = (calls: bigint) => Number(calls * callNanoUsd) / 1e9;
const nameOf = (agent: number) => `agent-${agent % children}`;

const tokens = await Promise.all(Array.from({ length: children }, (_, at) =>
  signChild(testKey, {
    sub: nameOf(at),
    exp: endsAtS,
    session: "fleet",
    budget: usd(childCalls).toFixed(9),
  })));

function configOf(upstream: Parameters<typeof paidConfig>[0]) {
  const budget = { usd: usd(keyCalls), period: "total" };
  return { ...paidConfig(upstream), keys: [{ name: "test", value: testKey, budget }] };
}

/** Calls once with each agent; returns the answers, without those that a kill cut off. */
async function callAll(
  servers: readonly ServerProcess[],
  answered: () => void = () => {},
): Promise<PaidCall[]> {
  const found = await Promise.all(Array.from({ length: agents }, async (_, agent) => {
    const { base } = servers[agent % servers.length];
    const options = { stream: agent % 2 === 0, maxTokens: 20, tag };
    return await callPaid(base, tokens[agent % children], options).finally(answered)
      .catch(() => undefined);
  }));
  return found.filter((one) => one !== undefined);
}

async function withStore(location: StoreLocation, run: (store: Store) => Promise<void>) {
  const store = await openStore({ location, secret: "a-secret-of-tests" });
  try {
    await run(store);
  } finally {
    store.close();
  }
}

async function assertWithinBudgets(store: Store, read: readonly PaidCall[]): Promise<void> {
  const audit = await auditStore(store);
  assertEquals(audit.differences, []);
  const [{ id: keyId, accountId }] = await listApiKeys(store);
  const paid = new Map<string, bigint>();
  let interrupted = 0;
  for await (const { session, costNanoUsd = 0n, errorCode } of allRows(store)) {
    if (errorCode === "interrupted") interrupted++;
    const name = session?.agent ?? "";
    paid.set(name, (paid.get(name) ?? 0n) + costNanoUsd);
  }
  let fullest = 0n;
  for (let at = 0; at < children; at++) {
    const child = { accountId, keyId, endsAtMs: endsAtS * 1_000, name: nameOf(at) };
    const spent = await getSpent(store, childBudgetId(child));
    assert(spent <= childCalls * callNanoUsd, `${child.name} spent ${spent}`);
    assertEquals([child.name, spent], [child.name, paid.get(child.name) ?? 0n]);
    if (spent > fullest) fullest = spent;
  }
  const total = await getSpent(store, budgetId("key", keyId, "total"));
  assertEquals(String(total), audit.costNanoUsd);
  for (const level of levels) assertEquals(await getSpent(store, level), total);
  assert(total <= outerCalls * callNanoUsd, `${total} of ${outerCalls * callNanoUsd}`);
  assert(fullest > (childCalls - 1n) * callNanoUsd, "no child reached its budget");
  assert(total > outerCalls * callNanoUsd * 8n / 10n, `only ${total} was spent`);
  for (const { id, allotted, spent } of await listAllowances(store)) {
    assertEquals([id, allotted], [id, spent]);
  }
  for (const { id, status, code } of read) {
    if (status !== 200) {
      assert(code === "insufficient_quota" || code === "store_unavailable", code);
      continue;
    }
    const { costNanoUsd = 0n, uncoveredNanoUsd = 0n } = await getRequestLog(store, id) ?? {};
    assertEquals(costNanoUsd + uncoveredNanoUsd, callNanoUsd); // the rest of a budget may be less
  }
  const answers = read.filter(({ status }) => status === 200).length;
  console.log(
    `${answers} answers of ${read.length}, ${interrupted} interrupted, ${total} nano-dollars spent`,
  );
}

Deno.test(`500 sub-agents in two isolates, killed ${kills} times, spend no more than their child keys may`, () =>
  withStoreFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    await withStore(location, (store) => joinProject(store, outerCalls * callNanoUsd));
    await using upstream = startPaidUpstream(({ stream }) => stream ? 6_000 : 300);
    const read: PaidCall[] = [];
    for (let kill = 0; kill <= kills; kill++) {
      const server = await startServer(folder, { config: configOf(upstream), isolates: 2 });
      const begun = Promise.withResolvers<void>();
      let waits = 20;
      const calls = callAll([server], () => --waits === 0 && begun.resolve());
      if (kill < kills) {
        await begun.promise;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2_500));
        await server.kill();
      }
      read.push(...await calls);
      if (kill === kills) {
        read.push(...await callAll([server]));
        await server.stop();
      }
    }
    await withStore(location, (store) => assertWithinBudgets(store, read.filter(isRead)));
  }));

testOnSharedStores(
  (kind) => `500 sub-agents on two gateways with ${kind} spend no more than their child keys may`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await withStore(kv.location, (store) => joinProject(store, outerCalls * callNanoUsd));
      await using upstream = startPaidUpstream(() => 40);
      const begin = (name: string) =>
        startServer(folder, { config: configOf(upstream), env: kv.env, name });
      const servers = [await begin("a"), await begin("b")];
      const read = [...await callAll(servers), ...await callAll(servers)];
      for (const server of servers) await server.stop();
      await withStore(kv.location, (store) => assertWithinBudgets(store, read.filter(isRead)));
    }),
);

function isRead({ status, isWhole }: PaidCall): boolean {
  return status !== 200 || isWhole === true;
}
