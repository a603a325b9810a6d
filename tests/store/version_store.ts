/**
 * Fills a store with values of each kind, or reads one and adds an entry to its wallet, so that
 * different versions of Deno can share it: `version_store.ts fill|read PATH …`.
 */
import { addApiKey, listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import {
  createGroup,
  createModel,
  createUpstream,
  listGroups,
  listModels,
  listUpstreams,
} from "../../lib/store/catalog/mod.ts";
import { listInFlight, registerIsolate, storeHeartbeat } from "../../lib/store/isolates/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { chunkText, digestOf, openStore, type Store, storeAdvice } from "../../lib/store/mod.ts";
import { getBalance, listLeases, postEntry, takeLease } from "../../lib/store/money/mod.ts";
import {
  getConversation,
  getStoredResponse,
  readExchanges,
  setConversation,
  storeExchanges,
} from "../../lib/store/responses/mod.ts";
import { createSession, createUser, listSessions, listUsers } from "../../lib/store/users/mod.ts";
import { leaveRows } from "./log/log_rows.ts";
import {
  sampleAudit,
  sampleGroup,
  sampleKey,
  sampleModel,
  sampleRow,
  sampleUpstream,
  sampleUser,
} from "./samples.ts";

export const secret = "the secret of every version";
const retentionMs = 3_600_000;
const startMs = Date.parse("2026-11-01");
const [accountId, isolateId] = ["usr_1", "isolate_1"];
const exchange = chunkText("text_1", "a stored answer, 𝄞 included ".repeat(8_000));

export async function fillStore(store: Store): Promise<void> {
  const audit = { ...sampleAudit, changes: [{ field: "name", before: "~n1", after: "名" }] };
  await createUser(store, sampleUser({ budgets: [{ period: "month", nanoUsd: 10n ** 12n }] }));
  await createGroup(store, sampleGroup(), { audit });
  await createModel(store, sampleModel());
  await createUpstream(store, sampleUpstream({ models: modelsOf(5_000) }));
  await createUpstream(store, sampleUpstream({ id: "other", models: modelsOf(16_000) }));
  await store.commitChange(addApiKey(store.kv.atomic(), sampleKey({ accountId })));
  const expiresAtMs = Date.now() + retentionMs;
  const session = {
    digest: "d",
    userId: accountId,
    createdAtMs: startMs,
    expiresAtMs,
    lastSeenAtMs: 5,
  };
  await createSession(store, session);
  await addCredit(store, "first", 5_000_000_000n);
  await fillCalls(store);
  const named = { accountId, createdAtMs: startMs, expiresAtMs };
  await setConversation(store, { ...named, id: "conv_1", metadata: { topic: "~" } }, retentionMs);
  const response = { ...named, id: "resp_1", exchange, before: [], itemIds: ["item_1"] };
  await storeExchanges(store, [{ exchange, response, retentionMs }]);
}

/** Two upstreams with all of these fit into no single commit. */
function modelsOf(count: number) {
  return Array.from({ length: count }, (_, n) => ({ id: `accounts/host/models/large-${n}` }));
}

/** Rows of the log, a lease, and a call in flight. */
async function fillCalls(store: Store): Promise<void> {
  const row = sampleRow(1, {
    costNanoUsd: 7n,
    costLines: [{ bucket: "input", quantity: 2, nanoUsd: 7n }],
  });
  await leaveRows(store, [row, sampleRow(2)]);
  const isolate = { id: isolateId, runId: "run", heartbeatAtMs: startMs };
  const entry = await registerIsolate(store, isolate);
  await takeLease(store, entry, {
    allowanceId: `wallet:${accountId}`,
    limit: { type: "wallet", accountId },
    needed: 1n,
    slice: () => 1_000n,
    held: 0n,
    now: Date.now,
  });
  await storeHeartbeat(store, entry, {
    isolate,
    flights: [{ row, moneyIds: ["wallet"] }],
    chunks: [],
  });
}

/** A digest of everything that `fillStore` wrote. */
export async function contentOf(store: Store): Promise<string> {
  const flights = (await listInFlight(store, isolateId)).map(({ flights }) => flights);
  const leases = await listLeases(store, isolateId);
  const found = {
    users: await listUsers(store),
    catalog: [await listGroups(store), await listModels(store), await listUpstreams(store)],
    keys: await listApiKeys(store),
    sessions: await listSessions(store, accountId),
    log: (await listRequestLogs(store, { limit: 10 })).rows,
    audit: await listAuditEntries(store, { limit: 10 }),
    flights,
    leases: leases.map(({ allowanceId, held }) => ({ allowanceId, held })),
    response: (await getStoredResponse(store, { accountId, id: "resp_1", nowMs: startMs }))
      ?.response,
    conversation: await getConversation(store, { accountId, id: "conv_1" }, startMs),
    texts: await readExchanges(store, [exchange]),
  };
  const text = JSON.stringify(found, (_, value) => typeof value === "bigint" ? `${value}n` : value);
  return `${text.length} characters, ${digestOf(text)}`;
}

export async function addCredit(
  store: Store,
  idempotencyKey: string,
  changeNanoUsd: bigint,
): Promise<void> {
  const draft = {
    atMs: startMs,
    accountId,
    type: "grant",
    reason: "why",
    actor: "gateway",
  } as const;
  await postEntry(store, { ...draft, idempotencyKey, changeNanoUsd });
}

export async function creditOf(store: Store): Promise<bigint> {
  return (await getBalance(store, accountId)).balanceNanoUsd;
}

if (import.meta.main) {
  const [order, ...paths] = Deno.args;
  for (const path of paths) {
    try {
      const store = await openStore({ location: { type: "file", path }, secret });
      if (order === "fill") await fillStore(store);
      else {
        console.log(await contentOf(store));
        await addCredit(store, `of ${Deno.version.deno}`, 1n);
      }
      store.close();
    } catch (error) {
      console.error(storeAdvice(error) ?? error);
      Deno.exit(1);
    }
  }
}
