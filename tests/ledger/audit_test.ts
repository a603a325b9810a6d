import { assertEquals } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import { auditStore } from "../../lib/ledger/mod.ts";
import { appendRequestLogs, openStore, type RequestLogRow } from "../../lib/store/mod.ts";

function rowOf(n: number, more: Partial<RequestLogRow> = {}): RequestLogRow {
  return {
    id: `req_${String(n).padStart(26, "0")}`,
    atMs: n,
    accountId: "user_1",
    keyId: "key_1",
    keyName: "one",
    groupId: "default",
    model: "m",
    upstreamId: "up",
    format: "messages",
    operation: "generate",
    stream: false,
    status: 200,
    outcome: "completed",
    usage: { ...noUsage, inputTokens: 2, cacheReadTokens: 1, outputTokens: 3, reasoningTokens: 4 },
    costNanoUsd: 5n,
    durationMs: 1,
    ...more,
  };
}

Deno.test("auditStore adds up calls that reached an upstream, over many pages", async () => {
  const store = await openStore({ location: { type: "memory" } });
  const rows = Array.from(
    { length: 1203 },
    (_, n) => rowOf(n, n % 2 ? { keyName: "two", accountId: "user_2" } : {}),
  );
  await appendRequestLogs(store, [
    ...rows,
    rowOf(5000, { upstreamId: undefined, outcome: "refused" }),
  ], 1e9);
  const audit = await auditStore(store);
  store.close();
  assertEquals(audit, {
    ok: true,
    calls: 1203,
    costNanoUsd: String(1203 * 5),
    keys: {
      one: {
        calls: 602,
        costNanoUsd: String(602 * 5),
        inputTokens: 602 * 3,
        outputTokens: 602 * 7,
      },
      two: {
        calls: 601,
        costNanoUsd: String(601 * 5),
        inputTokens: 601 * 3,
        outputTokens: 601 * 7,
      },
    },
    differences: [],
  });
});

Deno.test("auditStore tells of a row that its account does not list", async () => {
  const store = await openStore({ location: { type: "memory" } });
  await appendRequestLogs(store, [rowOf(1), rowOf(2)], 1e9);
  for await (
    const { key } of store.kv.list({ prefix: ["request_log_by_account", "user_1"] }, { limit: 1 })
  ) await store.kv.delete(key);
  const audit = await auditStore(store);
  store.close();
  assertEquals(audit.ok, false);
  assertEquals(audit.differences.length, 1);
});
