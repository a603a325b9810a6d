import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { getBalance } from "../../../lib/store/money/mod.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { joinProject } from "./nested.ts";
import { callNanoUsd, callPaid, paidConfig, startPaidUpstream } from "./paid_upstream.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";
import { makeWallet, walletAccountId, walletKey } from "./wallet.ts";

/**
 * 64 concurrent callers and money for 100 calls: exactly 100 succeed, wherever they call.
 * TESSERA_CALLERS and TESSERA_GATEWAYS make more of them.
 */

const callers = Number(Deno.env.get("TESSERA_CALLERS") ?? 64);
const gateways = Number(Deno.env.get("TESSERA_GATEWAYS") ?? 2);
const paidFor = 100;
const moneyNanoUsd = callNanoUsd * BigInt(paidFor);
const budgetKey = "sk-budget-0123456789abcdefghij";

const nestedKeys = [1, 2].map((at) => `sk-nested-0123456789abcdefghi${at}`);

const moneys = [
  { name: "a key's budget", keys: [budgetKey], prepare: () => Promise.resolve() },
  { name: "a prepaid wallet", keys: [walletKey], prepare: makeWallet },
  {
    name: "a project's budget, below those of two keys and their group",
    keys: nestedKeys,
    prepare: joinProject,
  },
] as const;
/** Output limits of callers, which determine the reservation. */
const limits = [
  { name: "no stated limit" },
  { name: "a limit that the answer fills", maxTokens: 20 },
  { name: "a limit far above the answer", maxTokens: 4_000 },
] as const;

for (const { name, keys, prepare } of moneys) {
  for (const { name: limit, ...options } of limits) {
    Deno.test(`${name} and ${limit}, one isolate: exactly ${paidFor} of ${callers} callers' calls`, () =>
      withStoreFolder(async (folder) => {
        await using upstream = startPaidUpstream();
        await withStore(fileIn(folder), (store) => prepare(store, moneyNanoUsd));
        const server = await startServer(folder, { config: configOf(upstream) });
        await assertExact([server.base], keys, options);
        assertEquals(await server.stop(), 0);
        await assertAccounts(fileIn(folder));
      }));
  }

  Deno.test(`${name}, deno serve --parallel: exactly ${paidFor} of ${callers} callers' calls`, () =>
    withStoreFolder(async (folder) => {
      await using upstream = startPaidUpstream();
      await withStore(fileIn(folder), (store) => prepare(store, moneyNanoUsd));
      const server = await startServer(folder, { config: configOf(upstream), isolates: 2 });
      await assertExact([server.base], keys, {});
      await server.kill();
      await assertAccounts(fileIn(folder));
    }));

  testOnSharedStores(
    (kind) =>
      `${name}, ${gateways} processes on ${kind}: exactly ${paidFor} of ${callers} callers' calls`,
    (start) =>
      withStoreFolder(async (folder) => {
        await using upstream = startPaidUpstream();
        await using kv = await start(folder);
        await withStore(kv.location, (store) => prepare(store, moneyNanoUsd));
        const servers = await startGateways(folder, { config: configOf(upstream), env: kv.env });
        await assertExact(servers.map(({ base }) => base), keys, {});
        for (const server of servers) assertEquals(await server.stop(), 0);
        await assertAccounts(kv.location);
      }),
  );
}

function fileIn(folder: string) {
  return { type: "file", path: `${folder}/tessera.db` } as const;
}

type Location = Parameters<typeof openStore>[0]["location"];

function configOf(upstream: Parameters<typeof paidConfig>[0]) {
  return {
    ...paidConfig(upstream),
    groups: [{ id: "nested", budget: budgetOf(paidFor + 10) }],
    keys: [
      { name: "budget", value: budgetKey, budget: budgetOf(paidFor) },
      ...nestedKeys.map((value, at) => ({
        name: `nested ${at}`,
        value,
        group: "nested",
        budget: budgetOf(paidFor * 0.6),
      })),
    ],
  };
}

function budgetOf(calls: number) {
  return { usd: Number(callNanoUsd) * calls / 1e9, period: "total" };
}

function startGateways(
  folder: string,
  options: Parameters<typeof startServer>[1],
): Promise<ServerProcess[]> {
  return Promise.all(
    Array.from({ length: gateways }, (_, at) => startServer(folder, { ...options, name: `${at}` })),
  );
}

/** Every caller calls until there is no money left. */
async function assertExact(
  bases: readonly string[],
  keys: readonly string[],
  options: { readonly maxTokens?: number },
): Promise<void> {
  let succeeded = 0;
  await Promise.all(Array.from({ length: callers }, async (_, caller) => {
    for (let call = 0;; call++) {
      const answer = await callPaid(
        bases[caller % bases.length],
        keys[(caller >> 2) % keys.length],
        {
          stream: call % 2 === 1,
          ...options,
        },
      );
      if (answer.status !== 200) {
        assertEquals([answer.status, answer.code], [402, "insufficient_quota"]);
        return;
      }
      succeeded++;
    }
  }));
  assertEquals(succeeded, paidFor);
}

/** Ledger, log and rollups agree to the nano-dollar, and nobody is below zero. */
async function assertAccounts(location: Location): Promise<void> {
  await withStore(location, async (store) => {
    const audit = await auditStore(store);
    assertEquals(audit.differences, []);
    assertEquals(audit.calls, paidFor);
    assertEquals(audit.costNanoUsd, String(moneyNanoUsd));
    const { balanceNanoUsd } = await getBalance(store, walletAccountId);
    assert(balanceNanoUsd === 0n || balanceNanoUsd === moneyNanoUsd);
  });
}

async function withStore(location: Location, run: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ location, secret: "a-secret-of-tests" });
  try {
    await run(store);
  } finally {
    store.close();
  }
}
