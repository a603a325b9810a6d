import { newApiKey, startSession } from "../lib/accounts/mod.ts";
import { noUsage } from "../lib/canonical/mod.ts";
import { newRequestId } from "../lib/http/call.ts";
import { createApiKey } from "../lib/store/api_keys/mod.ts";
import { createModel, createUpstream } from "../lib/store/catalog/mod.ts";
import { packRow, type RequestLogRow } from "../lib/store/log/mod.ts";
import type { Store } from "../lib/store/mod.ts";
import { addWaitingRows, compactRows } from "../lib/store/settling/mod.ts";
import { createUser, defaultSpending, firstAccountId, type User } from "../lib/store/users/mod.ts";

const rowsPerCommit = 500;
const rowsPerCompaction = 10_000;
const days = 30;
const dayMs = 86_400_000;
const ownKeys = 20;
/** Other accounts, with two keys each. Every so many calls, one of them makes one more. */
const colleagues = 50;
const callsOfOwn = 40;
const models = ["claude-sonnet-4-5", "gpt-5", "gpt-5-mini", "gemini-2.5-pro", "acme-large"];
const failure = { status: 502, outcome: "upstream_error", errorCode: "upstream_error" } as const;

interface Key {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
}

/**
 * Fills a store with this many calls of one account, the worst case for its indexes, and some of 50
 * others. Returns a session of the account, and its newest call.
 */
export async function fillForPages(
  store: Store,
  calls: number,
): Promise<{ token: string; lastId: string }> {
  const nowMs = Date.now();
  await addCatalog(store, nowMs);
  const [own, ...others] = Array.from({ length: 1 + colleagues }, (_, n) => userOf(n, nowMs));
  for (const user of [own, ...others]) await createUser(store, user);
  const keys = {
    own: await addKeys(store, own, ownKeys, nowMs),
    others: (await Promise.all(others.map((user) => addKeys(store, user, 2, nowMs)))).flat(),
  };
  const rowAt = (n: number) => {
    const atMs = Math.floor(nowMs - days * dayMs * (1 - (n + 1) / calls));
    const row = rowOf(n, keys.own[n % ownKeys], atMs);
    if (n % callsOfOwn !== 0) return [row];
    const other = keys.others[(n / callsOfOwn) % keys.others.length];
    return [rowOf(n, other, atMs), row];
  };
  let lastId = "";
  for (let start = 0; start < calls; start += rowsPerCommit) {
    const rows = Array.from({ length: rowsPerCommit }, (_, n) => rowAt(start + n)).flat();
    const operation = store.kv.atomic();
    const place = { isolateId: "bench", sequence: String(start).padStart(9, "0") };
    addWaitingRows(operation, place, rows.map(packRow));
    await operation.commit();
    lastId = rows.at(-1)?.id ?? "";
    if (start % rowsPerCompaction === 0) await compactRows(store);
  }
  await compactRows(store);
  const { token } = await startSession(store, own, { nowMs });
  return { token, lastId };
}

async function addCatalog(store: Store, nowMs: number): Promise<void> {
  await createUpstream(store, {
    id: "acme",
    endpoints: { "chat-completions": "https://203.0.113.9/v1" },
    credentials: ["secret"],
    models: models.map((id) => ({ id })),
    priority: 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
  });
  for (const id of models) {
    const price = { input: 3, output: 15 };
    await createModel(store, { id, price, createdAtMs: nowMs, origin: "console" });
  }
}

function userOf(number: number, nowMs: number): User {
  const id = number === 0 ? firstAccountId : `usr_bench_${number}`;
  return {
    id,
    email: `bench-${number}@example.com`,
    role: number === 0 ? "administrator" : "member",
    createdAtMs: nowMs,
    enabled: true,
    spending: defaultSpending(id),
  };
}

async function addKeys(store: Store, user: User, count: number, nowMs: number): Promise<Key[]> {
  const made: Key[] = [];
  for (let n = 0; n < count; n++) {
    const name = `key-${n}`;
    const draft = { accountId: user.id, name, groupId: "default", enabled: true };
    const { apiKey } = newApiKey(draft, nowMs);
    const id = user.id === firstAccountId ? `key_${n}` : apiKey.id;
    await createApiKey(store, { ...apiKey, id });
    made.push({ id, name, accountId: user.id });
  }
  return made;
}

function rowOf(n: number, key: Key, atMs: number): RequestLogRow {
  return {
    id: newRequestId(atMs),
    atMs,
    accountId: key.accountId,
    keyId: key.id,
    keyName: key.name,
    groupId: "default",
    model: models[n % models.length],
    upstreamId: "acme",
    format: "chat-completions",
    operation: "generate",
    stream: n % 2 === 0,
    status: 200,
    outcome: "completed",
    usage: { ...noUsage, inputTokens: 1_000 + n % 777, outputTokens: 50 + n % 99 },
    usageSource: "upstream",
    costNanoUsd: 4_542_000n,
    costLines: [
      { bucket: "inputTokens", quantity: 1_234, nanoUsd: 3_702_000n },
      { bucket: "outputTokens", quantity: 56, nanoUsd: 840_000n },
    ],
    firstByteMs: 200 + n % 500,
    durationMs: 1_000 + n % 3_000,
    ...(n % 50 === 7 && failure),
  };
}
