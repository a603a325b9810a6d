import { newApiKey, startSession } from "../lib/accounts/mod.ts";
import { noUsage } from "../lib/canonical/mod.ts";
import { newRequestId } from "../lib/http/call.ts";
import { createApiKey } from "../lib/store/api_keys/mod.ts";
import { createModel, createUpstream } from "../lib/store/catalog/mod.ts";
import {
  listRequestLogs,
  type PackedRow,
  packRow,
  type RequestLogRow,
} from "../lib/store/log/mod.ts";
import { addPage, type LogPage, pagesOf } from "../lib/store/log/log_page.ts";
import type { Store } from "../lib/store/mod.ts";
import {
  createUser,
  defaultSpending,
  firstAccountId,
  getUser,
  type User,
} from "../lib/store/users/mod.ts";
import {
  addToRollups,
  callSumsOf,
  type HourSums,
  mergeSums,
  subjectSums,
} from "../lib/store/usage/rollup_sums.ts";

const rowsPerStep = 10_000;
const turnMs = 15_000;
/** Of one commit; its bytes are bounded, too. */
const [mutationsMax, rowsMax] = [1_000, 2_000];
const [sumsAtOnce, sumsPerCommit] = [20_000, 200];
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
 * others; a store with accounts stays as it is. Returns a session of the account, and its newest
 * call.
 */
export async function fillStore(
  store: Store,
  calls: number,
): Promise<{ token: string; lastId: string }> {
  if (!await getUser(store, firstAccountId)) await fill(store, calls);
  const own = await getUser(store, firstAccountId);
  if (!own) throw new Error("The store has no account");
  const { token } = await startSession(store, own, { nowMs: Date.now() });
  const { rows: [newest] } = await listRequestLogs(store, { limit: 1 });
  return { token, lastId: newest.id };
}

async function fill(store: Store, calls: number): Promise<void> {
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
  let sums: HourSums = new Map();
  const writer = new PageWriter(store);
  for (let start = 0; start < calls; start += rowsPerStep) {
    const count = Math.min(rowsPerStep, calls - start);
    const rows = Array.from({ length: count }, (_, n) => rowAt(start + n)).flat().map(packRow);
    for (const some of byTurn(rows)) for (const page of pagesOf(some)) await writer.add(page);
    mergeSums(sums, subjectSums(callSumsOf(rows.map(({ row }) => row))));
    if (sums.size >= sumsAtOnce) sums = await addSums(store, sums);
  }
  await writer.end();
  await addSums(store, sums);
}

/** The rows of each turn of a compactor whose store is shared: a page or more. */
function byTurn(rows: readonly PackedRow[]): Iterable<readonly PackedRow[]> {
  return Map.groupBy(rows, ({ row }) => Math.floor(row.atMs / turnMs)).values();
}

/** Writes pages of the log in commits as large as Deno KV allows, while the next ones are encoded. */
class PageWriter {
  readonly #store: Store;
  #pages: LogPage[] = [];
  #mutations = 0;
  #rows = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  async add(page: LogPage): Promise<void> {
    const [mutations, rows] = [
      this.#mutations + 1 + page.index.length,
      this.#rows + page.rows.length,
    ];
    if (mutations > mutationsMax || rows > rowsMax) await this.#write();
    this.#pages.push(page);
    this.#mutations += 1 + page.index.length;
    this.#rows += page.rows.length;
  }

  async end(): Promise<void> {
    await this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    await this.#writing;
    const operation = this.#store.kv.atomic();
    for (const page of this.#pages) addPage(operation, page, this.#store.logRetentionMs);
    this.#writing = operation.commit();
    this.#pages = [];
    this.#mutations = this.#rows = 0;
  }
}

async function addSums(store: Store, sums: HourSums): Promise<HourSums> {
  const all = [...sums.values()];
  for (let at = 0; at < all.length; at += sumsPerCommit) {
    const operation = store.kv.atomic();
    await addToRollups(store, operation, all.slice(at, at + sumsPerCommit));
    await operation.commit();
  }
  return new Map();
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
