import { newApiKey, startSession } from "../lib/accounts/mod.ts";
import { noUsage } from "../lib/canonical/mod.ts";
import { newRequestId } from "../lib/http/request_id.ts";

import type { Store } from "../lib/store/mod.ts";
import { createApiKey } from "../lib/store/api_keys/mod.ts";
import { packRow, type RequestLogRow } from "../lib/store/log/mod.ts";
import { addWaitingRows, compactRows } from "../lib/store/settling/mod.ts";
import { createUser, defaultSpending, firstAccountId } from "../lib/store/users/mod.ts";
import { compose } from "../main.ts";

/** The render time of one page on the server, in milliseconds. */
export interface PageTime {
  readonly path: string;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly bytes: number;
}

const rowsPerCommit = 500;
const keyCount = 20;
const days = 30;
const dayMs = 86_400_000;
const warmUps = 5;
const renders = 40;
const models = ["claude-sonnet-4-5", "gpt-5", "gpt-5-mini", "gemini-2.5-pro", "acme-large"];
const failure = { status: 502, outcome: "upstream_error", errorCode: "upstream_failed" } as const;

/** Times every page that shows calls, for an account with this many calls in the last 30 days. */
export async function timePages(calls: number): Promise<PageTime[]> {
  const folder = await Deno.makeTempDir();
  const tessera = await compose({ TESSERA_KV: `${folder}/pages.db` });
  try {
    const { token, lastId } = await fill(tessera.store, calls);
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
    "/console/welcome",
    "/console/token",
    "/console/token/key_0",
    "/console/log",
    "/console/log?status=failed",
    "/console/log?period=30d&model=gpt-5&key=key_3",
    `/console/log/${callId}`,
    "/console/topup",
    "/console/pricing",
    "/console/pricing/model?name=tessera-echo",
    "/console/pricing?sort=speed",
    "/console/connect",
    "/console/playground",
    "/console/account",
    "/console/admin/upstreams",
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
  return { path, medianMs: times[renders / 2], p95Ms: times[Math.floor(renders * 0.95)], bytes };
}

/** Writes all calls for one account, the worst case for the account's indexes. */
async function fill(store: Store, calls: number): Promise<{ token: string; lastId: string }> {
  const nowMs = Date.now();
  const id = firstAccountId;
  const user = {
    id,
    email: "bench@example.com",
    role: "administrator",
    createdAtMs: nowMs,
    enabled: true,
    spending: defaultSpending(id),
  } as const;
  await createUser(store, user);
  for (let n = 0; n < keyCount; n++) {
    const { apiKey } = newApiKey({
      accountId: id,
      name: `key-${n}`,
      groupId: "default",
      enabled: true,
    }, nowMs);
    await createApiKey(store, { ...apiKey, id: `key_${n}` });
  }
  let lastId = "";
  for (let start = 0; start < calls; start += rowsPerCommit) {
    const rows = Array.from(
      { length: rowsPerCommit },
      (_, n) => rowOf(start + n, { calls, nowMs }),
    );
    const operation = store.kv.atomic();
    addWaitingRows(
      operation,
      { isolateId: "bench", sequence: String(start).padStart(9, "0") },
      rows.map(packRow),
    );
    await operation.commit();
    lastId = rows.at(-1)?.id ?? "";
    if (start % 10_000 === 0) await compactRows(store);
  }
  await compactRows(store);
  const { token } = await startSession(store, user, { nowMs });
  return { token, lastId };
}

function rowOf(n: number, { calls, nowMs }: { calls: number; nowMs: number }): RequestLogRow {
  const atMs = Math.floor(nowMs - days * dayMs * (1 - (n + 1) / calls));
  const key = n % keyCount;
  return {
    id: newRequestId(atMs),
    atMs,
    accountId: firstAccountId,
    keyId: `key_${key}`,
    keyName: `key-${key}`,
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

export function printPages(calls: number, times: readonly PageTime[]): void {
  console.log(`\npages with ${calls.toLocaleString("en")} calls in the log (ms on the server)`);
  console.log(
    `${"page".padEnd(56)} ${"median".padStart(8)} ${"p95".padStart(8)} ${"KiB".padStart(6)}`,
  );
  for (const { path, medianMs, p95Ms, bytes } of times) {
    console.log(
      `${path.padEnd(56)} ${medianMs.toFixed(1).padStart(8)} ${p95Ms.toFixed(1).padStart(8)} ${
        (bytes / 1024).toFixed(0).padStart(6)
      }`,
    );
  }
}

if (import.meta.main) {
  const calls = Number(Deno.args[0] ?? 100_000);
  printPages(calls, await timePages(calls));
}
