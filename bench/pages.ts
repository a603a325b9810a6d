import { newApiKey, startSession } from "../lib/accounts/mod.ts";
import { noUsage } from "../lib/canonical/mod.ts";
import { newRequestId } from "../lib/http/call.ts";
import { createApiKey } from "../lib/store/api_keys/mod.ts";
import { createModel, createUpstream } from "../lib/store/catalog/mod.ts";
import { packRow, type RequestLogRow } from "../lib/store/log/mod.ts";
import type { Store } from "../lib/store/mod.ts";
import { addWaitingRows, compactRows } from "../lib/store/settling/mod.ts";
import { createUser, defaultSpending, firstAccountId, type User } from "../lib/store/users/mod.ts";
import { compose } from "../main.ts";

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
async function fillForPages(
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

/** The render time of one page on the server, in milliseconds. */
interface PageTime {
  readonly path: string;
  /** The fastest render, which a busy machine slows least. */
  readonly leastMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly bytes: number;
}

const warmUps = 5;
const renders = 40;
/** The most that a page may take: its median, by the number of calls of its account. */
const bounds = [{ calls: 100_000, ms: 20 }, { calls: 1_000_000, ms: 100 }] as const;

/** Times every page that shows calls, for an account with this many calls in the last 30 days. */
async function timePages(calls: number): Promise<PageTime[]> {
  const folder = await Deno.makeTempDir();
  const tessera = await compose({ TESSERA_KV: `${folder}/pages.db` });
  try {
    const { token, lastId } = await fillForPages(tessera.store, calls);
    await tessera.directory.refresh();
    const pages = await tessera.loadConsole();
    const get = (path: string) =>
      pages(new Request(address + path, { headers: { cookie: `tessera=${token}` } }), info);
    const times: PageTime[] = [];
    for (const path of pathsOf(lastId)) times.push(await timePage(path, get));
    return times;
  } finally {
    await tessera.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const address = "http://localhost";
const info: Deno.ServeHandlerInfo<Deno.NetAddr> = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
};

function pathsOf(callId: string): string[] {
  return [
    "/console",
    "/console?period=24h",
    "/console?period=30d&by=tokens",
    "/console?period=30d&who=everyone",
    "/console?period=30d&who=everyone&by=key",
    "/console/token",
    "/console/token?who=everyone",
    "/console/token/key_0",
    "/console/log",
    "/console/log?who=everyone",
    "/console/log?who=everyone&period=30d",
    "/console/log?status=failed",
    "/console/log?period=30d&model=gpt-5&key=key_3",
    `/console/log/${callId}`,
    "/console/topup",
    "/console/pricing",
    "/console/pricing/model?name=gpt-5",
    "/console/pricing?sort=speed",
    "/console/connect",
    "/console/playground",
    "/console/account",
    "/console/admin/upstreams",
    "/console/admin/upstreams/acme",
    "/console/admin/groups",
    "/console/admin/users",
    "/console/admin/users/owner",
    "/console/admin/audit",
    "/console/pricing?show=unpriced",
    "/console/admin/codes",
    "/console/admin/settings",
  ];
}

async function timePage(path: string, get: (path: string) => Promise<Response>): Promise<PageTime> {
  const times: number[] = [];
  let bytes = 0;
  for (let n = -warmUps; n < renders; n++) {
    const startedAt = performance.now();
    const response = await get(path);
    bytes = (await response.bytes()).length;
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    if (n >= 0) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  const [leastMs, medianMs, p95Ms] = [0, 0.5, 0.95].map((share) =>
    times[Math.floor(renders * share)]
  );
  return { path, leastMs, medianMs, p95Ms, bytes };
}

function printPages(calls: number, times: readonly PageTime[]): void {
  console.log(`\npages with ${calls.toLocaleString("en")} calls in the log (ms on the server)`);
  console.log(
    ["page".padEnd(56), ...["least", "median", "p95", "KiB"].map((name) => name.padStart(8))].join(
      "",
    ),
  );
  for (const { path, leastMs, medianMs, p95Ms, bytes } of times) {
    const figures = [leastMs, medianMs, p95Ms].map((ms) => ms.toFixed(1).padStart(8));
    console.log(path.padEnd(56) + figures.join("") + (bytes / 1024).toFixed(0).padStart(8));
  }
}

/** The pages that take longer than they may with this many calls. */
function slowPages(calls: number, times: readonly PageTime[]): readonly PageTime[] {
  const most = bounds.find((bound) => calls <= bound.calls)?.ms ?? Infinity;
  return times.filter(({ medianMs }) => medianMs > most);
}

if (import.meta.main) {
  const calls = Number(Deno.args[0] ?? 100_000);
  const times = await timePages(calls);
  printPages(calls, times);
  const slow = slowPages(calls, times).map(({ path }) => path);
  if (slow.length > 0) console.log(`\nslower than they may be: ${slow.join(", ")}`);
  Deno.exit(slow.length > 0 ? 1 : 0);
}
