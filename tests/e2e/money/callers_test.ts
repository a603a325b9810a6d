import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { getBalance } from "../../../lib/store/money/mod.ts";
import { startServer } from "../server_process.ts";
import { callNanoUsd, callPaid, paidConfig, startPaidUpstream } from "./paid_upstream.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";
import { makeWallet, walletAccountId, walletKey } from "./wallet.ts";

/** 64 concurrent callers and money for 100 calls: exactly 100 succeed, wherever they call. */

const callers = 64;
const paidFor = 100;
const budgetKey = "sk-budget-0123456789abcdefghij";

const moneys = [
  { name: "a key's budget", key: budgetKey },
  { name: "a prepaid wallet", key: walletKey },
] as const;
/** Output limits of callers, which determine the reservation. */
const limits = [
  { name: "no stated limit" },
  { name: "a limit that the answer fills", maxTokens: 20 },
  { name: "a limit far above the answer", maxTokens: 4_000 },
] as const;

for (const { name, key } of moneys) {
  for (const { name: limit, ...options } of limits) {
    Deno.test(`${name} and ${limit}, one isolate: exactly ${paidFor} of ${callers} callers' calls`, () =>
      withStoreFolder(async (folder) => {
        await using upstream = startPaidUpstream();
        await prepare({ type: "file", path: `${folder}/tessera.db` });
        const server = await startServer(folder, { config: configOf(upstream) });
        await assertExact([server.base], key, options);
        assertEquals(await server.stop(), 0);
        await assertAccounts({ type: "file", path: `${folder}/tessera.db` });
      }));
  }

  Deno.test(`${name}, deno serve --parallel: exactly ${paidFor} of ${callers} callers' calls`, () =>
    withStoreFolder(async (folder) => {
      await using upstream = startPaidUpstream();
      await prepare({ type: "file", path: `${folder}/tessera.db` });
      const server = await startServer(folder, { config: configOf(upstream), isolates: 2 });
      await assertExact([server.base], key, {});
      await server.kill();
      await assertAccounts({ type: "file", path: `${folder}/tessera.db` });
    }));

  testOnSharedStores(
    (kind) => `${name}, two processes on ${kind}: exactly ${paidFor} of ${callers} callers' calls`,
    (start) =>
      withStoreFolder(async (folder) => {
        await using upstream = startPaidUpstream();
        await using kv = await start(folder);
        await prepare(kv.location);
        const options = { config: configOf(upstream), env: kv.env };
        const servers = [await startServer(folder, options), await startServer(folder, options)];
        await assertExact(servers.map(({ base }) => base), key, {});
        for (const server of servers) assertEquals(await server.stop(), 0);
        await assertAccounts(kv.location);
      }),
  );
}

type Location = Parameters<typeof openStore>[0]["location"];

function configOf(upstream: Parameters<typeof paidConfig>[0]) {
  return {
    ...paidConfig(upstream),
    keys: [{
      name: "budget",
      value: budgetKey,
      budget: { usd: Number(callNanoUsd) * paidFor / 1e9, period: "total" },
    }],
  };
}

/** An account that can pay for as many calls, with a key. */
async function prepare(location: Location): Promise<void> {
  await withStore(location, (store) => makeWallet(store, callNanoUsd * BigInt(paidFor)));
}

/** Every caller calls until there is no money left. */
async function assertExact(
  bases: readonly string[],
  key: string,
  options: { readonly maxTokens?: number },
): Promise<void> {
  let succeeded = 0;
  await Promise.all(Array.from({ length: callers }, async (_, caller) => {
    for (let call = 0;; call++) {
      const answer = await callPaid(bases[caller % bases.length], key, {
        stream: call % 2 === 1,
        ...options,
      });
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
    assertEquals(audit.costNanoUsd, String(callNanoUsd * BigInt(paidFor)));
    const { balanceNanoUsd } = await getBalance(store, walletAccountId);
    assert(balanceNanoUsd === 0n || balanceNanoUsd === callNanoUsd * BigInt(paidFor));
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
