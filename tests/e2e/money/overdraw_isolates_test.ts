import { assert, assertEquals } from "@std/assert";
import { playgroundKeyId } from "../../../lib/accounts/mod.ts";
import { adminServices } from "../../../lib/admin/services.ts";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import type { StoreLocation } from "../../../lib/store/kv/open.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { startGateway, testKey } from "../gateway.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { limitIn, startLimitedUpstream } from "./limited_upstream.ts";
import { requestOf } from "./long_request.ts";
import { withStoreFolder } from "./place.ts";
import { testOnSharedStores } from "./shared_store.ts";
import { makeWallet, walletAccountId, walletKey } from "./wallet.ts";

/** The same limits wherever a call runs: in any isolate, beside its caller, from the console. */

const price = { input: 1, output: 50 };
const usd = 1_000_000_000n;

function configOf(base: string, endpoints = ["chat-completions", "responses"]) {
  return {
    upstreams: [{
      id: "paid",
      endpoints: Object.fromEntries(endpoints.map((format) => [format, `${base}/v1`])),
      models: ["paid"],
    }],
    models: [{ id: "paid", price }],
    limits: { moneyWaitMs: 10_000 },
    keys: [{ name: "test", value: testKey, budget: { usd: 1, period: "total" } }],
  };
}

async function usedIn(store: Store): Promise<{ readonly rows: RequestLogRow[]; used: bigint }> {
  await compactRows(store);
  assertEquals((await auditStore(store)).differences, []);
  const rows: RequestLogRow[] = [];
  for await (const row of allRows(store)) rows.push(row);
  const used = rows.reduce(
    (sum, { costNanoUsd = 0n, uncoveredNanoUsd = 0n }) => sum + costNanoUsd + uncoveredNanoUsd,
    0n,
  );
  return { rows, used };
}

function callChat(base: string, maxTokens?: number): Promise<number> {
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}` },
    body: requestOf({ format: "chat-completions", stream: false, ...(maxTokens && { maxTokens }) }),
  }).then(async (response) => {
    await response.body?.cancel();
    return response.status;
  });
}

for (const maxTokens of [undefined, 8_000]) {
  const limit = maxTokens === undefined ? "no limit" : `a limit of ${maxTokens}`;
  Deno.test(`overdraw, deno serve --parallel: 40 calls with ${limit} on $1 use no more than $1`, () =>
    withStoreFolder(async (folder) => {
      await using upstream = startLimitedUpstream({ wants: 3_000 });
      const server = await startServer(folder, { config: configOf(upstream.base), isolates: 2 });
      const location = { type: "file", path: `${folder}/tessera.db` } as const;
      await assertNotOverdrawn([server], location, maxTokens);
    }));
}

testOnSharedStores(
  (kind) => `overdraw, two processes on ${kind}: 40 calls on $1 use no more than $1`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await using upstream = startLimitedUpstream({ wants: 3_000 });
      const options = { config: configOf(upstream.base), env: kv.env };
      const servers = [await startServer(folder, options), await startServer(folder, options)];
      await assertNotOverdrawn(servers, kv.location);
    }),
);

async function assertNotOverdrawn(
  servers: readonly ServerProcess[],
  location: StoreLocation,
  maxTokens?: number,
): Promise<void> {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, at) => callChat(servers[at % servers.length].base, maxTokens)),
  );
  assert(statuses.includes(200), statuses.join(" "));
  for (const server of servers) await server.stop();
  const store = await openStore({ location, secret: "a-secret-of-tests" });
  const { used } = await usedIn(store);
  store.close();
  assert(used <= usd, `${used} nano-dollars were used`);
  assert(used > 850_000_000n, `only ${used} nano-dollars were used`);
}

Deno.test("overdraw: a response in the background is limited to what is left", async () => {
  await using upstream = startLimitedUpstream({ wants: 20_000 });
  await using gateway = await startGateway({
    ...configOf(upstream.base),
    keys: [{ name: "test", value: testKey, budget: { usd: 0.06, period: "total" } }],
  });
  const headers = { authorization: `Bearer ${testKey}` };
  const body = JSON.stringify({
    ...JSON.parse(requestOf({ format: "responses", stream: false })),
    background: true,
    store: true,
  });
  const asked = await fetch(`${gateway.base}/v1/responses`, { method: "POST", headers, body });
  let { id, status } = await asked.json();
  for (let look = 0; look < 200 && (status === "queued" || status === "in_progress"); look++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    const answer = await fetch(`${gateway.base}/v1/responses/${id}`, { headers });
    ({ id, status } = await answer.json());
  }
  assertEquals(status, "incomplete");
  const limit = limitIn(upstream.seen[0].body) ?? Infinity;
  assert(limit < 1_200, `the upstream may write ${limit} tokens`);
  const { used } = await usedIn(gateway.parts.store);
  assert(used > 0n && used <= 60_000_000n, `${used} nano-dollars were used`);
});

Deno.test("overdraw: a call from the playground is limited to what is left of the wallet", async () => {
  await using upstream = startLimitedUpstream({ wants: 20_000 });
  await using gateway = await startGateway(configOf(upstream.base));
  const { store } = gateway.parts;
  await makeWallet(store, 60_000_000n);
  const { callGateway } = adminServices() ?? {};
  assert(callGateway);
  const payer = { type: "playground", accountId: walletAccountId, groupId: "default" } as const;
  const request = new Request("http://localhost/v1/chat/completions", {
    method: "POST",
    body: requestOf({ format: "chat-completions", stream: false }),
  });
  const response = await callGateway(request, { payer, ip: "127.0.0.1" });
  assertEquals(response.status, 200, await response.text());
  const limit = limitIn(upstream.seen[0].body) ?? Infinity;
  assert(limit < 1_200, `the upstream may write ${limit} tokens`);
  const { rows, used } = await usedIn(store);
  assertEquals(rows.map(({ keyId }) => keyId), [playgroundKeyId(walletAccountId)]);
  assert(used > 0n && used <= 60_000_000n, `${used} nano-dollars were used`);
});

Deno.test("overdraw: a wallet of $0.06 pays for one long answer, and no other call begins", async () => {
  await using upstream = startLimitedUpstream({ wants: 20_000 });
  await using gateway = await startGateway(configOf(upstream.base));
  const { store } = gateway.parts;
  await makeWallet(store, 60_000_000n);
  for (let call = 0; call < 3; call++) {
    const response = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${walletKey}` },
      body: requestOf({ format: "chat-completions", stream: false, maxTokens: 100_000 }),
    });
    await response.body?.cancel();
    assertEquals(response.status, call === 0 ? 200 : 402);
  }
  assert((await usedIn(store)).used <= 60_000_000n);
});
