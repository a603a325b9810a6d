import { assertEquals } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import { exportRequestLogs } from "../../lib/ledger/mod.ts";
import { type RequestLogRow, streamRequestLogs } from "../../lib/store/log/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { baseMs, requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { readCsv } from "./csv.ts";

const dayMs = 86_400_000;

function call(n: number, fields: Partial<RequestLogRow> & { readonly daysAgo: number }) {
  const { daysAgo, ...rest } = fields;
  const atMs = baseMs - daysAgo * dayMs + n;
  return sampleRow(0, { id: requestIdOf(atMs, n), atMs, ...rest });
}

const usage = { ...noUsage, inputTokens: 10, cacheReadTokens: 5, outputTokens: 2 };

Deno.test("spend: calls are summed by day, key and model, the newest day first, then what cost most", async () => {
  await withMemoryStore(async (store) => {
    await leaveRows(store, [
      call(1, { daysAgo: 1, usage, costNanoUsd: 7n }),
      call(2, { daysAgo: 0, usage, costNanoUsd: 1n }),
      call(3, { daysAgo: 0, keyId: "key_2", keyName: "two", costNanoUsd: 1_500_000_000n }),
      call(4, { daysAgo: 0, usage, costNanoUsd: 2n }),
      call(5, { daysAgo: 0, model: "free" }),
    ]);
    const emails = new Map([["owner", "owner@example.com"]]);
    const pieces = exportRequestLogs(streamRequestLogs(store), "spend", { emails });
    const csv = (await Array.fromAsync(pieces)).join("");
    const [names, ...lines] = readCsv(csv);
    assertEquals(
      names.join(),
      "day_utc,account_id,account_email,key_id,key_name,model,calls,input_tokens,output_tokens,cost_usd",
    );
    assertEquals(lines.map((cells) => cells.join()), [
      "2026-11-21,owner,owner@example.com,key_2,two,m,1,0,0,1.5",
      "2026-11-21,owner,owner@example.com,key_1,one,m,2,30,4,0.000000003",
      "2026-11-21,owner,owner@example.com,key_1,one,free,1,0,0,0",
      "2026-11-20,owner,owner@example.com,key_1,one,m,1,15,2,0.000000007",
    ]);
  });
});
